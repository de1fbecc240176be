// Both designs of a site side by side, before its repair is accepted.

import { toFirst } from "./pick.js";
import { $, chip, make, options, query, short, showIn } from "./server.js";

export async function lookAt(template) {
  const design = await query("redesign", { template });
  $("work").hidden = true;
  $("designs").hidden = false;
  for (const side of ["old", "new"]) {
    options($(`${side}-pages`), design[side].map(short), 0);
    $(`${side}-pages`).onchange = () => showDesign(template, side);
    if (design[side].length) await showDesign(template, side);
  }
  $("reason").textContent = design.reason ? `There is no repair to accept: ${design.reason}` : "";
  $("accept").disabled = Boolean(design.reason);
  const head = ["field", "confidence", "before", "now"].map((name) => make("th", { textContent: name, scope: "col" }));
  $("sure").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...design.fields.map((field) => line(field, !design.reason))));
}

async function showDesign(template, side) {
  const { html } = await query("design", { template, side, number: $(`${side}-pages`).value });
  await showIn($(side), html);
  toFirst($(side).contentDocument);
}

function line(field, isRepaired) {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, chip(field)),
    make("td", {}, ...(isRepaired ? sure(field.confidence) : [])),
    make("td", { textContent: field.old.join(" · ") }),
    make("td", { textContent: field.new.join(" · ") }),
  );
}

function sure(confidence) {
  if (confidence === null || confidence === undefined) return ["left out"];
  const share = make("i", { className: confidence < 0.5 ? "low" : "" });
  share.style.width = `${Math.round(100 * confidence)}%`;
  return [make("span", { className: "sure", ariaHidden: "true" }, share), `${Math.round(100 * confidence)}%`];
}

export function close() {
  $("designs").hidden = true;
  $("work").hidden = false;
}
