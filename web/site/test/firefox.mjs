// Firefox, as a distribution packages it, by WebDriver BiDi. What it or its driver lacks is named, and the flows that need it are left out.
import playwright from "playwright-core";

export const PATH = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

/** Flows that are not run in Firefox, by how their names begin, and why. */
const WITHOUT = [
  ["install", "Firefox on the desktop installs no pages"],
  ["touch", "its driver has no phones"],
  ["paint: the picture", "it reports no movements of the layout"],
  ["inside: on phones", "its driver has no phones"],
  ["files: a disk is written", "its driver reports no downloads"],
  ["drives: new disks", "its driver reports no downloads"],
  ["drives: a program is recorded", "its driver reports no downloads"],
  ["drives: what is printed", "its driver reports no downloads"],
  ["folder: typed", "its driver reports no downloads"],
  ["drives: a cartridge", "its driver reports no file choosers"],
  ["saves: save, reload", "its driver reports no downloads"],
  ["share: QR", "its driver reports no downloads"],
  ["projects: as a ZIP", "its driver reports no downloads"],
];

/** Why a flow is not run in Firefox; `undefined` for those that are. */
export const reason = (name) => WITHOUT.find(([begin]) => name.startsWith(begin))?.[1];

/** Commands of the driver that this Firefox does not know, and which only set what is so anyway. */
const UNKNOWN = ["emulation.setMediaFeaturesOverride"];

export async function launch() {
  const browser = await playwright.firefox.launch({ channel: "moz-firefox", executablePath: PATH, timeout: 60000 });
  // The driver sets the colour scheme of every page; Firefox 153 refuses that, and has its own.
  const session = Object.getPrototypeOf(browser._connection.toImpl(browser)._browserSession);
  const { send } = session;
  session.send = async function (method, parameters) {
    try {
      return await send.call(this, method, parameters);
    } catch (error) {
      if (UNKNOWN.includes(method) && String(error).includes("unknown command")) return {};
      throw error;
    }
  };
  const { newContext } = browser;
  // Permissions of the clipboard are Chromium's; Firefox asks for none within a click.
  browser.newContext = async ({ permissions, isMobile, ...options } = {}) => {
    const context = await newContext.call(browser, options);
    await context.addInitScript(keepChoosing);
    return context;
  };
  return browser;
}

/** The driver closes the browser's dialog for files, which tells the page that none was chosen, sometimes before it sets the files. */
function keepChoosing() {
  addEventListener("cancel", (event) => {
    if (event.target.type === "file") event.stopImmediatePropagation();
  }, true);
}
