// Works without a network after the first visit, and offers a new version when there is one.
import { Workbox } from "workbox-window";
import { say } from "./ui.ts";

export function offer(): void {
  const workbox = new Workbox(new URL("sw.js", import.meta.url).href);
  workbox.addEventListener("waiting", async () => {
    // The very first one waits as well, for a moment, where the browser is slow to begin it; then it is the active one.
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.active || registration.waiting === null) return;
    say("There is a new version of this page.", [
      [
        "Use it now",
        () => {
          workbox.addEventListener("controlling", () => location.reload());
          workbox.messageSkipWaiting();
          // The old service worker stays in control while it still answers requests: reload all the same.
          setTimeout(() => location.reload(), 5000);
        },
      ],
    ]);
  });
  // Without a service worker the page works all the same, with a network; without a network no new version can be asked for.
  const register = () => void workbox.register().catch(() => {});
  if (navigator.onLine) register();
  else addEventListener("online", register, { once: true });
}
