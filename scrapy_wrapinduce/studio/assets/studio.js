// The studio's page. It never runs anything of the pages it shows: they are in a frame without scripts.

import { showFields } from "./fields.js";
import * as picking from "./pick.js";
import * as redesign from "./redesign.js";
import { $, call, make, options, query, short, showIn } from "./server.js";

const LONGEST_CELL = 120;
let state = null;

function say(text, isError = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", isError);
}

// One thing at a time: what is asked for meanwhile waits for the answer.
let last = Promise.resolve();
function busy(text, work) {
  last = last.then(async () => {
    document.body.setAttribute("aria-busy", "true");
    say(text);
    try {
      say(await work());
    } catch (error) {
      say(error.message, true);
    } finally {
      document.body.removeAttribute("aria-busy");
    }
  });
  return last;
}

function correct(path, body) {
  return busy("Learning", async () => {
    const before = state;
    state = await call(path, { template: state.template, ...body });
    picking.close();
    redesign.close();
    await show(before);
    return `${state.fields.length} fields, saved`;
  });
}

function open(template) {
  return busy("Opening", async () => {
    state = await query("state", template ? { template } : {});
    picking.close();
    redesign.close();
    options($("pages"), [], 0);
    await show(null);
    return `A ${state.family} wrapper with ${state.fields.length} fields`;
  });
}

function current() {
  return Math.min(Number($("pages").value || 0), state.pages.length - 1);
}

async function show(before) {
  const number = current();
  const names = state.templates.map(({ name, note }) => (note ? `${name} (${note})` : name));
  options($("templates"), names, state.templates.findIndex(({ name }) => name === state.template));
  $("choose").hidden = names.length < 2;
  options($("pages"), state.pages.map((page) => `${page.example ? "✎ " : ""}${short(page.name)}`), number);
  $("undo").disabled = !state.canUndo;
  $("repair").hidden = !state.redesign;
  $("files").textContent = `Saved as ${state.files.join(" and ")}`;
  showFields(state, correct);
  showItems(before);
  await showPage(number);
}

async function showPage(number) {
  const { html } = await query("page", { template: state.template, number });
  await showIn($("view"), html);
  picking.listen($("view").contentDocument);
  $("pages").value = number;
  $("previous").disabled = number === 0;
  $("next").disabled = number === state.pages.length - 1;
  $("view").dataset.shown = number;
}

function asText(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(asText).join(" · ");
  if (typeof value !== "object") return String(value);
  return "untyped" in value ? asText(value.untyped) : Object.values(value).map(asText).join(" ");
}

// What the last correction has changed stands out.
function showItems(before) {
  const names = state.fields.filter((field) => !field.type.startsWith("as ")).map((field) => field.name);
  const head = make("tr", {}, ...["page", ...names].map((name) => make("th", { textContent: name, scope: "col" })));
  const rows = state.pages.flatMap((page, index) =>
    (page.records.length ? page.records : [{}]).map((record, place) => {
      const open = make("button", { textContent: short(page.name), type: "button", onclick: () => showPage(index) });
      const old = before?.pages[index]?.records[place];
      const cells = names.map((name) => cell(record[name], old ? old[name] : record[name]));
      return make("tr", {}, make("th", { scope: "row" }, open), ...cells);
    }),
  );
  $("items").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

function cell(value, old) {
  const text = asText(value);
  const made = make("td", { textContent: text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text, title: text });
  if (value?.untyped !== undefined) {
    made.classList.add("untyped");
    made.title = "not of the field's type: left out of items";
  }
  made.classList.toggle("news", JSON.stringify(value) !== JSON.stringify(old));
  return made;
}

picking.connect(current, correct);
$("undo").onclick = () => correct("undo", {});
$("pages").onchange = () => showPage(current());
$("previous").onclick = () => showPage(current() - 1);
$("next").onclick = () => showPage(current() + 1);
$("templates").onchange = () => open(state.templates[$("templates").value].name);
$("repair").onclick = () =>
  busy("Repairing", async () => {
    await redesign.lookAt(state.template);
    return "Look at both designs, then decide";
  });
$("accept").onclick = () => correct("accept", {});
$("keep").onclick = redesign.close;
document.addEventListener("keydown", (event) => {
  const inText = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !inText && state?.canUndo) correct("undo", {});
});

open();
