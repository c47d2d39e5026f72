#!/bin/sh
# Stands in for Apple's C compiler and archiver where only types are checked: the file that they would make is empty.
while [ $# -gt 0 ]; do
    case $1 in
    -o) : >"$2" ;;
    *.a) : >"$1" ;;
    esac
    shift
done
