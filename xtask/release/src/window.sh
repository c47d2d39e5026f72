# Opens a window with a program that prints on the machine's printer, and closes it as soon as 42 is on paper; it must stay open until then.
# Arguments: the file that is the paper, and the command. A computer that is busy gets five minutes.
paper=$1
shift
rm -f "$paper"
timeout 300 "$@" &
window=$!
while kill -0 "$window" 2>/dev/null; do
    if grep -qs 42 "$paper"; then
        kill "$window"
        wait "$window"
        exit 0
    fi
    sleep 0.2
done
wait "$window"
status=$?
if [ "$status" = 124 ]; then
    echo "the machine in the window has not printed 42 within five minutes"
else
    echo "the window did not stay open: status $status"
fi
exit 1
