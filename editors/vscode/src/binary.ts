// Where the program `anticlock` is, and how it is asked.
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAME = process.platform === "win32" ? "anticlock.exe" : "anticlock";

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The program: as the setting says, beside the extension, or on the path.
 * @throws A sentence for the user when it is in none of these places.
 */
export function find(setting: string, extension: string, path = process.env.PATH ?? ""): string {
  if (setting !== "") {
    if (runs(setting)) return setting;
    throw new Error(`The setting anticlock.executable names ${setting}, which is not a program.`);
  }
  const places = [join(extension, "bin"), ...path.split(delimiter).filter((folder) => folder !== "")];
  const found = places.map((folder) => join(folder, NAME)).find(runs);
  if (found === undefined) {
    throw new Error("The program anticlock is not on the path. Build it, or name it in the setting anticlock.executable.");
  }
  return found;
}

export interface Answer {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs the program to its end, at most ten seconds. */
export function ask(program: string, parameters: string[]): Promise<Answer> {
  return new Promise((done, failed) => {
    execFile(program, parameters, { timeout: 10_000, maxBuffer: 1 << 22 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === "number") done({ status, stdout, stderr });
      else failed(error);
    });
  });
}
