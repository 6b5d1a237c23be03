"""Host side of a launch: arrays of any library, scalar conversions, the packed argument record, devices."""
