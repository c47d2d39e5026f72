// Flows: what the person has made is there the next day.
import { atr, begin, check, equal, fresh, hash, hold, inserted, ready, run, says, text, until, untilKept } from "./browser.mjs";

/** A program that writes I to 127+I into sector 100 of D1: once the disk is in. A letter more in the sector tells two runs apart. */
const WRITER = (first, drive = 1) =>
  `5 PRINT "INSERT":FOR W=1 TO 900:NEXT W\n10 FOR I=0 TO 127:POKE 1664+I,${first}:NEXT I\n20 POKE 768,49:POKE 769,${drive}:POKE 770,80:POKE 771,128:POKE 772,128:POKE 773,6\n` +
  '30 POKE 774,15:POKE 776,128:POKE 777,0:POKE 778,100:POKE 779,0\n40 X=USR(ADR("hLY\u00e4"))\n50 PRINT "STATUS ";PEEK(771)\n';
const SECTOR = 16 + 99 * 128;

export default ({ flow, browser, site, at, runUntil, drop }) => {
  const app = (page, act, argument) => page.evaluate(act, argument);
  const disks = (page) => app(page, async () => (await window.anticlock.app.store.all("disks")).map(({ key, name, drive, bytes }) => ({ key, name, drive, byte: bytes[16 + 99 * 128] })));
  /** Every version of a kind, as far as its sector tells. */
  const versions = (page, kind) =>
    app(page, async (kind) => {
      const { store } = window.anticlock.app;
      const all = store.everything().filter((one) => one.kind === kind);
      return Promise.all(all.map(async ({ id }) => store.version(id)));
    }, kind);

  /** Writes to the disk in a drive. */
  const write = async (page, first, drive) => {
    await app(page, (listing) => window.anticlock.app.openListing(listing), WRITER(first, drive));
    await runUntil(page, "INSERT");
    await app(page, ([bytes, drive]) => window.anticlock.app.insert(`work${drive}.atr`, new Uint8Array(bytes), drive), [[...atr()], drive]);
    await runUntil(page, "STATUS 1");
    await app(page, () => window.anticlock.app.emulator.flush());
    await run(page, 2);
  };

  flow("keep: a written disk stays beside tomorrow's, each for its own drive", async () => {
    const page = await fresh(browser, site.url);
    await hold(page);
    await write(page, 65, 2);
    await untilKept(page, "the kept disk", async () => (await disks(page)).some(({ byte, drive }) => byte === 65 && drive === 2));
    await page.reload();
    await ready(page);
    await hold(page);
    // Tomorrow the same program writes to the same disk as it was at first.
    await write(page, 66, 2);
    await untilKept(page, "both disks", async () => {
      const found = (await versions(page, "disks")).map(({ bytes }) => bytes[16 + 99 * 128]);
      return found.includes(65) && found.includes(66);
    });
    equal((await disks(page)).map(({ byte }) => byte).join(), "66", "the present one");
    // The written disk goes where it was, and D1: keeps its own.
    await app(page, (bytes) => window.anticlock.app.insert("first.atr", new Uint8Array(bytes), 1), [...atr().fill(1, 5000, 5010)]);
    await app(page, (bytes) => window.anticlock.app.insert("work2.atr", new Uint8Array(bytes), 2), [...atr()]);
    await until("the offer", async () => (await says(page)).includes("programs have written to it"));
    await page.getByRole("button", { name: "Insert the written disk" }).click();
    equal(await inserted(page), "1 first.atr 0 0\n2 work2.atr 0 0", "the drives");
    equal(await app(page, (at) => window.anticlock.app.emulator.disk_bytes(2)[at], SECTOR), 66, "the disk in D2:");
    // Yesterday's comes back out of the history.
    await page.locator("#open-files").click();
    await page.locator("summary", { hasText: "Earlier versions" }).click();
    await page.getByRole("button", { name: /^Bring back: work2.atr, D2:/ }).last().click();
    await until("yesterday's disk", async () => (await disks(page)).some(({ byte }) => byte === 65));
    return page;
  });

  flow("keep: leaving and changing the program keeps where it was, state first", async () => {
    const page = await fresh(browser, at("v=1&game=hexapawn"));
    await hold(page);
    await run(page, 700);
    // Pictures take their time: nothing may wait for one.
    await app(page, () => { window.anticlock.app.screen.thumbnail = () => new Promise(() => {}); });
    await page.locator("#picture").focus();
    await page.keyboard.press("Enter");
    await run(page, 10);
    const left = await hash(page);
    await page.goto("about:blank");
    await page.goto(at("v=1&game=hexapawn"));
    await ready(page);
    await until("the offer", async () => (await says(page)).includes("Hexapawn was left"));
    await hold(page);
    await page.getByRole("button", { name: "Go on from there" }).click();
    equal(await hash(page), left, "the machine that was left");
    // Another game in its place.
    await run(page, 700);
    const before = await hash(page);
    await app(page, () => window.anticlock.app.loadGames().then(() => window.anticlock.app.openBuiltIn("gammon")));
    await until("the state", async () => app(page, async () => (await window.anticlock.app.store.all("states")).length === 1));
    // A reload would begin the other game.
    await page.goto("about:blank");
    await page.goto(at("v=1&game=hexapawn"));
    await ready(page);
    await hold(page);
    await until("the offer", async () => (await says(page)).includes("Hexapawn was left"));
    await page.getByRole("button", { name: "Go on from there" }).click();
    equal(await hash(page), before, "the machine before the other game");
    return page;
  });

  flow("keep: a leaving that is cancelled leaves nothing beside the database", async () => {
    const page = await fresh(browser, at("v=1&game=hexapawn"));
    await hold(page);
    await run(page, 700);
    const asked = new Promise((done) => page.on("dialog", (dialog) => dialog.type() === "beforeunload" && dialog.dismiss().then(done)));
    // A browser asks only where something was done on the page.
    await page.locator("#picture").click();
    await app(page, () => addEventListener("beforeunload", (event) => event.preventDefault(), { once: true }));
    await page.close({ runBeforeUnload: true });
    await asked;
    const leaving = () => app(page, () => window.anticlock.app.store.isLeaving);
    check(await leaving(), "what is stored now may be stored while the page goes");
    await until("the page that stays", async () => !(await leaving()));
    await run(page, 50);
    // The only record of a slot of its own, written into the database and nowhere else.
    const beside = await app(page, async () => {
      const written = [];
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (name, value) {
        written.push(name);
        return setItem.call(this, name, value);
      };
      await window.anticlock.app.save("4");
      return [...written, ...Object.keys(localStorage).filter((name) => name.startsWith("anticlock left "))];
    });
    equal(beside.join(), "", "what was written beside the database");
    check(await app(page, async () => (await window.anticlock.app.store.get("states", "hexapawn 4")) !== undefined), "the saved state");
    return page;
  });

  flow("keep: a slot that is saved again can be brought back", async () => {
    const page = await fresh(browser, at("v=1&game=hexapawn"));
    await hold(page);
    await run(page, 400);
    const first = await hash(page);
    await app(page, () => window.anticlock.app.save("3"));
    await run(page, 50);
    await app(page, () => window.anticlock.app.save("3"));
    await page.reload();
    await ready(page);
    await hold(page);
    await page.locator("#open-files").click();
    await page.locator("summary", { hasText: "Earlier versions" }).click();
    await page.getByRole("button", { name: /^Bring back: Hexapawn, slot 3/ }).click();
    await until("the sentence", async () => (await says(page)).includes("is as it was"));
    await app(page, () => window.anticlock.app.load("3"));
    equal(await hash(page), first, "the first state of slot 3");
    return page;
  });

  /** A page that another one has made a link on. */
  const link = async (listing) => {
    const maker = await fresh(browser, site.url);
    await app(maker, (listing) => window.anticlock.app.openListing(listing), listing);
    await maker.locator("#open-files").click();
    await maker.getByRole("button", { name: "Copy a link to this" }).click();
    await until("the link", async () => (await app(maker, () => navigator.clipboard.readText())).includes("bas="));
    const address = await app(maker, () => navigator.clipboard.readText());
    await maker.context().close();
    return address;
  };

  flow("keep: a listing by a link leaves one's own alone, and both are there after a reload", async () => {
    const address = await link('10 PRINT "A FRIEND"\n');
    const page = await fresh(browser, site.url);
    await page.locator("#open-program").click();
    await page.locator("#listing").fill('10 REM MY OWN\n');
    // Left at once, before the editor has come to rest.
    await page.goto("about:blank");
    await page.goto(address);
    await ready(page);
    await page.locator("#open-program").click();
    await until("the friend's listing", async () => (await page.locator("#listing").inputValue()).includes("A FRIEND"));
    await page.locator("#listing").press("End");
    await page.locator("#listing").pressSequentially("\n20 REM MINE");
    await page.waitForTimeout(500);
    await page.reload();
    await ready(page);
    await page.locator("#open-program").click();
    await until("the changed listing", async () => (await page.locator("#listing").inputValue()).includes("20 REM MINE"));
    await page.getByRole("button", { name: "My own listing" }).click();
    await until("one's own listing", async () => (await page.locator("#listing").inputValue()) === "10 REM MY OWN\n");
    await page.goto("about:blank");
    await page.goto(site.url);
    await ready(page);
    await page.locator("#open-program").click();
    await until("one's own listing", async () => (await page.locator("#listing").inputValue()) === "10 REM MY OWN\n");
    return page;
  });

  flow("keep: what is taken from the machine replaces nothing for good, and nothing is not taken", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await until("READY", async () => (await text(page)).includes("READY"));
    await page.locator("#open-program").click();
    await page.locator("#listing").fill("10 REM LONG WORK\n");
    await page.getByRole("button", { name: "Take from the machine" }).click();
    await until("the sentence", async () => (await says(page)).includes("no BASIC program"));
    equal(await page.locator("#listing").inputValue(), "10 REM LONG WORK\n", "the editor");
    await app(page, () => window.anticlock.app.emulator.type_text("10 ? 7\n"));
    await until("the line", async () => app(page, () => !window.anticlock.app.emulator.is_typing()));
    // BASIC takes the line some frames after its RETURN.
    await until("the machine's", async () => {
      await page.getByRole("button", { name: "Take from the machine" }).click();
      return (await page.locator("#listing").inputValue()) === "10 ? 7\n";
    });
    await page.reload();
    await ready(page);
    await page.locator("#open-program").click();
    await until("the machine's after a reload", async () => (await page.locator("#listing").inputValue()) === "10 ? 7\n");
    await page.locator("#open-files").click();
    await page.locator("summary", { hasText: "Earlier versions" }).click();
    await page.getByRole("button", { name: /^Bring back: Your listing: 10 REM LONG WORK/ }).click();
    await page.locator("#open-program").click();
    await until("the old listing", async () => (await page.locator("#listing").inputValue()) === "10 REM LONG WORK\n");
    return page;
  });

  flow("keep: a link's program has an H: and slots of its own (weblink-1, weblink-2)", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    await hold(page);
    await runUntil(page, "READY");
    await app(page, () => window.anticlock.app.putFile({ name: "MINE.TXT", bytes: new Uint8Array([65, 155]), locked: false }));
    for (const listing of [
      '10 OPEN #1,8,0,"H:MINE.TXT":PRINT #1;"TAKEN":CLOSE #1\n20 OPEN #1,8,0,"H:EVIL.TXT":PRINT #1;"X":CLOSE #1\n30 PRINT "DONE"\n',
      '10 XIO 33,#1,0,0,"H:*.*"\n20 PRINT "DONE"\n',
      '10 TRAP 40:OPEN #1,4,0,"H:MINE.TXT":GET #1,A:PRINT "READ ";A\n20 END\n40 PRINT "ERROR ";PEEK(195);" DONE"\n',
    ]) {
      const address = await link(listing);
      // In the open page, and in a new one of the same browser.
      await app(page, (hash) => { location.hash = hash; }, new URL(address).hash);
      await until("the link's program", async () => app(page, () => window.anticlock.app.loaded.kind === "listing"));
      const other = await begin(page.context(), address);
      for (const one of [page, other]) {
        await hold(one);
        for (let i = 0; i < 60 && !/DONE|ERROR|READ /.test(await text(one)); i++) await run(one, 30);
        const shown = await text(one);
        check(/DONE|ERROR/.test(shown) && !shown.includes("READ 65"), shown);
        check((await one.locator("#title").textContent()).includes("from a link"), "the page says whose program it is");
      }
      await other.close();
    }
    // The person's own program finds what it has left, and nothing else.
    await page.goto("about:blank");
    await page.goto(at("v=1&game=basic"));
    await ready(page);
    await hold(page);
    await runUntil(page, "READY");
    await app(page, () => window.anticlock.app.emulator.type_text('OPEN #1,6,0,"H:*.*":FOR I=1 TO 30:GET #1,A:? CHR$(A);:NEXT I\\n'));
    await runUntil(page, "FREE");
    const shown = await text(page);
    check(shown.includes("MINE") && !shown.includes("EVIL"), shown);
    equal(await app(page, () => [...window.anticlock.app.files()[0].bytes].join()), "65,155", "the file");
    return page;
  });

  flow("keep: what a link's program writes is there when the link is opened again, and is bounded", async () => {
    const address = await link('10 TRAP 90:OPEN #1,4,0,"H:SCORE":INPUT #1,A:CLOSE #1\n20 PRINT "BEST ";A:END\n90 OPEN #1,8,0,"H:SCORE":PRINT #1;77:CLOSE #1:PRINT "STORED"\n');
    const page = await fresh(browser, address);
    await hold(page);
    await runUntil(page, "STORED");
    await page.reload();
    await ready(page);
    await hold(page);
    await runUntil(page, "BEST 77");
    await page.locator("#open-files").click();
    await until("whose H: it is", async () => (await page.locator("#panel").textContent()).includes("H: of this link"));
    return page;
  });

  flow("keep: two windows write the same program, file and listing, and nothing is lost", async () => {
    const page = await fresh(browser, at("v=1&game=basic"));
    const other = await begin(page.context(), at("v=1&game=basic"));
    for (const one of [page, other]) {
      await hold(one);
      await runUntil(one, "READY");
    }
    await app(page, () => window.anticlock.app.emulator.type_text('10 ? "ONE"\\nSAVE "H:A.BAS"\\n'));
    for (let i = 0; i < 40; i++) await run(page, 10);
    // The other window's machine sees the file, without a reload.
    await until("the file in the other window", async () => app(other, () => window.anticlock.app.files().some(({ name }) => name === "A.BAS")));
    await app(other, () => window.anticlock.app.emulator.type_text('10 ? "TWO"\\nSAVE "H:A.BAS"\\n'));
    for (let i = 0; i < 40; i++) await run(other, 10);
    await until("both", async () => (await versions(page, "files")).length === 2);
    // Both save by themselves.
    for (const one of [page, other]) {
      await run(one, 700);
      await app(one, () => window.anticlock.app.automatic(true));
    }
    equal((await versions(page, "states")).length, 2, "states");
    const [a, b] = [await hash(page), await hash(other)];
    check(a !== b, "two machines");
    await app(page, () => window.anticlock.app.openBuiltIn("basic"));
    await app(page, () => window.anticlock.app.offer());
    await until("the sentence", async () => /also runs in another window/.test(await says(page)));
    // The editors show one listing.
    await page.locator("#open-program").click();
    await other.locator("#open-program").click();
    await page.locator("#listing").fill("10 REM HERE\n");
    await until("the listing in the other window", async () => (await other.locator("#listing").inputValue()) === "10 REM HERE\n");
    await other.locator("#listing").fill("10 REM THERE\n");
    await until("the listing in the first window", async () => (await page.locator("#listing").inputValue()) === "10 REM THERE\n");
    equal((await versions(page, "listings")).map(({ text }) => text).join(""), "10 REM HERE\n10 REM THERE\n", "listings");
    check(other.faults.length === 0, other.faults.join("; "));
    return page;
  });

  flow("keep: storage of the first version is taken over, and the browser is asked to keep it", async () => {
    const page = await fresh(browser, site.url, {
      before: () => {
        window.asked = 0;
        // Firefox runs this in its empty page, too, which has no storage.
        if (navigator.storage === undefined) return;
        navigator.storage.persist = async () => { window.asked++; return true; };
        const request = indexedDB.open("anticlock", 1);
        request.onupgradeneeded = () => {
          const base = request.result;
          for (const [kind, key] of [["files", "name"], ["states", "key"], ["disks", "key"], ["settings", "key"]]) base.createObjectStore(kind, { keyPath: key });
          const put = (kind, value) => request.transaction.objectStore(kind).put(value);
          put("files", { name: "OLD.TXT", bytes: new Uint8Array([1, 2]), locked: true });
          put("states", { key: "menu 1", program: "menu", title: "Menu", slot: "1", time: 5, state: new Uint8Array([9]), picture: new ArrayBuffer(1) });
          put("disks", { key: "abc 1", name: "old.atr", time: 6, bytes: new Uint8Array([3]) });
          put("disks", { key: "abc 2", name: "old.atr", time: 7, bytes: new Uint8Array([4]) });
          put("settings", { key: "listing", value: "10 REM OLD\n" });
          put("settings", { key: "volume", value: "0.5" });
        };
        // A page that knows only the first version.
        request.onsuccess = () => request.result.close();
      },
    });
    const all = (kind) => app(page, (kind) => window.anticlock.app.store.all(kind), kind);
    equal((await all("files")).map(({ name, locked }) => name + locked).join(), "OLD.TXTtrue", "files");
    equal((await all("states")).map(({ key }) => key).join(), "menu 1", "states");
    equal((await all("disks")).map(({ name, bytes }) => name + bytes[0]).sort().join(), "old.atr3,old.atr4", "disks");
    equal((await all("listings")).map(({ key, text }) => key + text).join(), "own10 REM OLD\n", "listings");
    equal((await all("settings")).find(({ key }) => key === "volume").value, "0.5", "settings");
    equal(await app(page, () => window.asked), 0, "questions before anything was stored");
    await app(page, async () => {
      for (const name of ["A", "B"]) await window.anticlock.app.putFile({ name, bytes: new Uint8Array(3), locked: false });
    });
    equal(await app(page, () => window.asked), 1, "questions to the browser");
    // A deleted file can be brought back.
    await page.locator("#open-files").click();
    await page.getByRole("button", { name: /^Delete: OLD.TXT/ }).click();
    await until("the deletion", async () => (await all("files")).length === 2);
    await page.locator("summary", { hasText: "Earlier versions" }).click();
    await page.getByRole("button", { name: /^Bring back: H:OLD.TXT/ }).click();
    await until("the file", async () => (await all("files")).length === 3);
    return page;
  });
};
