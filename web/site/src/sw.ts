// The service worker: the page without a network. Workbox keeps the files; a new version waits until the user wants it.
import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";

/** The page's files with their hashes, put in when the page is made. */
declare const MANIFEST: { url: string; revision: string }[];

precacheAndRoute(MANIFEST, { ignoreURLParametersMatching: [/.*/] });
cleanupOutdatedCaches();

addEventListener("message", (event: MessageEvent) => {
  if ((event.data as { type?: string } | null)?.type === "SKIP_WAITING") void (globalThis as unknown as { skipWaiting(): Promise<void> }).skipWaiting();
});
