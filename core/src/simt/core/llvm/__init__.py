"""What both back ends say in LLVM IR: the text builder, types, arithmetic, addresses, statements."""
