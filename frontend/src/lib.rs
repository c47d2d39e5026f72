//! Everything a person touches: window, sound, keys, files, command line.
