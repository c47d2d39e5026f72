// Installing the page as a program of its own, where the browser offers it.
import { element, say, sentence } from "./ui.ts";

/** The event that Chromium's browsers send to a page that can be installed. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallPrompt | null = null;
/** The places that offer it. */
const watching: ((can: boolean) => void)[] = [];

function tell(prompt: InstallPrompt | null): void {
  offered = prompt;
  for (const show of watching) show(prompt !== null);
}

/** Calls `show` whenever the page can be installed, and when it no longer can. */
export function whenInstallable(show: (can: boolean) => void): void {
  watching.push(show);
  show(offered !== null);
}

/** Asks the browser, which asks the user. An offer can be taken once. */
export function install(): void {
  const prompt = offered;
  tell(null);
  prompt?.prompt().catch((error: unknown) => say(`It was not installed: ${sentence(error)}`));
}

/** Begins to listen: browsers offer it early. */
export function listenForInstall(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // The page has a button of its own for it.
    event.preventDefault();
    tell(event as InstallPrompt);
  });
  window.addEventListener("appinstalled", () => {
    tell(null);
    say("Anticlock is installed; it also works without a network.");
  });
  const button = element("do-install");
  button.addEventListener("click", install);
  whenInstallable((can) => {
    button.hidden = !can;
  });
}
