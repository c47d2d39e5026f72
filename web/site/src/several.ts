// Several files at once: the first is started, further disks are in the next drives, in the order of a list (.m3u) or of their names.
import type { App } from "./app.ts";
import { type Unpacked, gunzip, usable } from "./archive.ts";
import { Emulator } from "./machine.ts";
import { bytesOf, say, sentence } from "./ui.ts";

const DRIVES = 8;
/** Largest file that is taken. */
const LARGEST = 17 << 20;

const isList = (name: string): boolean => /\.m3u$/i.test(name);
const short = (name: string): string => name.split(/[/\\]/).pop() ?? name;

/** The files in the order in which a list names them. */
function ordered(list: Unpacked, files: Unpacked[]): Unpacked[] {
  const lines = new TextDecoder().decode(list.bytes).replace(/^\uFEFF/, "").split(/\r\n?|\n/).map((line) => line.trim());
  const names = lines.filter((line) => line !== "" && !line.startsWith("#")).map(short);
  if (names.length === 0) throw new Error("this list names no disk");
  return names.map((name) => {
    const found = files.find((file) => short(file.name).toLowerCase() === name.toLowerCase());
    if (found === undefined) throw new Error(`this list names ${name.slice(0, 60)}, which did not come with it: drop the list and its disks together`);
    return found;
  });
}

/** Starts the first of several files; disks go into the drives from D1:, a tape into the recorder. */
export async function open(app: App, files: Unpacked[]): Promise<void> {
  const list = files.find(({ name }) => isList(name));
  const plain = files.filter(({ name }) => !isList(name));
  const all = list === undefined ? plain.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })) : ordered(list, plain);
  const kinds = all.map(({ name, bytes }) => Emulator.kind_of(name, bytes));
  // Files that boot come first: a program or a cartridge before disks, these before a tape.
  const rank = (at: number) => ["disk", "tape"].indexOf(kinds[at]);
  const order = list === undefined ? [...all.keys()].sort((a, b) => rank(a) - rank(b) || a - b) : [...all.keys()];
  const disks = order.filter((at) => kinds[at] === "disk").length;
  if (disks > DRIVES) throw new Error(`these are ${disks} disks, and there are only eight drives`);
  const [first, ...others] = order;
  await app.openFile(all[first].name, all[first].bytes);
  let drive = kinds[first] === "disk" ? 2 : 1;
  let hasTape = kinds[first] === "tape";
  const left: string[] = [];
  for (const at of others) {
    const { name, bytes } = all[at];
    if (kinds[at] === "disk") app.insert(name, bytes, drive++);
    else if (kinds[at] === "tape" && !hasTape) {
      app.insert(name, bytes, 0);
      hasTape = true;
    } else left.push(name.slice(0, 40));
  }
  if (left.length > 0) say(`One program starts at a time; not opened: ${left.slice(0, 5).join(", ")}`);
  else if (disks > 1) say(`${disks} disks are in the drives, the first in D1:`);
  app.focus();
}

/** Opens several files from the user, archives unpacked. False where they were refused. */
export async function take(app: App, files: File[]): Promise<boolean> {
  try {
    const found: Unpacked[] = [];
    for (const file of files) {
      if (file.size > LARGEST) throw new Error(`${file.name.slice(0, 80)} is larger than anything that this machine takes`);
      const bytes = await bytesOf(file);
      if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
        for (const one of await usable(bytes)) found.push(await one.open());
      } else if (bytes[0] === 0x1f && bytes[1] === 0x8b) found.push(await gunzip(file.name, bytes));
      else found.push({ name: file.name, bytes });
    }
    await open(app, found);
    return true;
  } catch (error) {
    say(sentence(error));
    return false;
  }
}
