// The rules of axe-core, run in the page.
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** The faults that axe finds: rules with the elements. */
export default async function axe(page) {
  // Through the debugger's protocol: the page's policy lets no other script in.
  await page.evaluate(source);
  return page.evaluate(async () => {
    // Lighthouse has this rule, too, which axe counts as an experiment.
    const rules = { "label-content-name-mismatch": { enabled: true } };
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], rules });
    return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.target.join(" "))]);
  });
}
