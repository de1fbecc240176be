// The studio's page. It never runs anything of the pages it shows: they are in a frame without scripts.

import * as fields from "./fields.js";
import { effect, showItems } from "./items.js";
import * as picking from "./pick.js";
import * as redesign from "./redesign.js";
import { $, call, options, query, short, showIn } from "./server.js";
import * as takeaway from "./takeaway.js";

let state = null;

function say(text, isError = false) {
  $("status").textContent = text;
  $("status").title = text;
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
    // Of a list of records all fields count as one.
    const [field, former] = [body.to ?? body.into ?? body.field, body.field].map((name) => name?.split(".")[0]);
    if (field) fields.open(field);
    picking.close();
    redesign.close();
    await show(before, field);
    const isSamePages = before.pages.every(({ name }, index) => name === state.pages[index]?.name);
    const told = isSamePages && field ? effect(state, before, field, [field, former]) : `${state.fields.length} fields`;
    return `${told}; saved`;
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

async function show(before, field) {
  const number = current();
  const names = state.templates.map(({ name, note }) => (note ? `${name} (${note})` : name));
  options($("templates"), names, state.templates.findIndex(({ name }) => name === state.template));
  $("choose").hidden = names.length < 2;
  options($("pages"), state.pages.map((page) => `${page.example ? "✎ " : ""}${short(page.name)}`), number);
  $("undo").disabled = !state.canUndo;
  $("redo").disabled = !state.canRedo;
  $("repair").hidden = !state.redesign;
  $("document").hidden = !state.document;
  $("hint").hidden = state.document;
  $("files").textContent = state.saved ? `Saved as ${state.files.join(" and ")}` : "";
  fields.showFields(state, { correct, locate });
  takeaway.show(state);
  showItems(state, before, field, showPage);
  await showPage(number, "", before !== null);
}

// A page at one of its fields; otherwise at its first, or, where it was shown already, as far down as it was.
async function showPage(number, field = "", again = false) {
  const { html } = await query("page", { template: state.template, number });
  const frame = $("view");
  const down = again && Number(frame.dataset.shown) === number ? frame.contentWindow.scrollY : null;
  await showIn(frame, html);
  if (!state.document) picking.listen(frame.contentDocument);
  $("pages").value = number;
  $("previous").disabled = number === 0;
  $("next").disabled = number === state.pages.length - 1;
  frame.dataset.shown = number;
  if (down !== null) frame.contentWindow.scrollTo(0, down);
  else if (field) locate(field);
  else picking.toFirst(frame.contentDocument);
}

function locate(field) {
  if (!picking.locate($("view").contentDocument, field)) say(`${field} is not to be seen on this page`);
}

picking.connect(current, correct);
takeaway.connect(() => correct("save", {}));
$("take").onclick = takeaway.open;
$("undo").onclick = () => correct("undo", {});
$("redo").onclick = () => correct("redo", {});
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
  if (!(event.ctrlKey || event.metaKey) || inText || !state) return;
  const key = `${event.shiftKey ? "shift " : ""}${event.key.toLowerCase()}`;
  if (key === "z" && state.canUndo) correct("undo", {});
  if ((key === "shift z" || key === "y") && state.canRedo) correct("redo", {});
});

open();
