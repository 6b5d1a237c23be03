"""What went wrong, where in the user's file, and what to write instead: data first, text last."""
