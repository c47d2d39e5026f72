"""Tries the page: serves its folder, opens it in Chromium, and prints what the machine's screen shows after PRINT 6*7.

Arguments: the folder, a folder for the browser's profile, the file for a picture of the page. A computer that is busy gets five minutes.
"""

import functools
import http.server
import subprocess
import sys
import threading

FOLDER, PROFILE, SHOT = sys.argv[1:]
LIMIT = 300

# The page itself, and the page for other pages with a machine that is typed to by messages.
HARNESS = b"""<!doctype html>
<iframe id="page" src="/" width="1200" height="600"></iframe>
<anticlock-atari id="atari" game="basic"></anticlock-atari>
<script type="module">
  import "/anticlock.js";
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const running = () => document.getElementById("page").contentWindow.anticlock?.app.loop.running === true;
  const { machine } = document.getElementById("atari");
  let screen = "";
  machine.on("text", ({ text }) => { screen = text; });
  try {
    while (!screen.includes("READY")) await wait(100);
    await machine.type("PRINT 6*7\\n");
    while (!/^ *42/m.test(screen) || !running()) await wait(100);
  } catch (error) {
    screen = String(error);
  }
  await fetch("/says", { method: "POST", body: screen });
</script>
"""

says: list[str] = []
said = threading.Event()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/try.html":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(HARNESS)

    def do_POST(self) -> None:
        says.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()
        said.set()

    def log_message(self, *words: object) -> None:
        pass


OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --window-size=1200,900"
)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=FOLDER))
threading.Thread(target=server.serve_forever, daemon=True).start()
place = f"http://127.0.0.1:{server.server_port}/"
chromium = ["chromium", *OPTIONS.split(), f"--user-data-dir={PROFILE}"]
browser = subprocess.Popen(
    [*chromium, "--remote-debugging-port=0", place + "try.html"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
)
heard = said.wait(LIMIT)
browser.terminate()
browser.wait()
if not heard:
    sys.exit(f"the page has said nothing within {LIMIT} s")
# For human eyes: when the machine has drawn depends on the computer.
picture = ["--virtual-time-budget=90000", f"--screenshot={SHOT}", place]
subprocess.run([*chromium, *picture], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT, check=True)
print(says[0])
