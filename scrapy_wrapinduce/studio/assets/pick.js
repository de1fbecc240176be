// Picking a value: on the page by clicking, or by its text with the keyboard.

import { $, make } from "./server.js";

const LONGEST_HINT = 40;

let picked = null;
let isFound = false; // found by its text rather than clicked
let outlined = []; // what is picked, on the page

export function listen(view) {
  view.addEventListener("click", (event) => pick(event.target));
  const texts = [...view.querySelectorAll("span[data-wi-start]")];
  const found = new Map(texts.map((span) => [folded(span), span]));
  $("texts").replaceChildren(...[...found.keys()].slice(0, 2000).map((value) => make("option", { value })));
  $("find").onchange = () => {
    const span = found.get($("find").value);
    if (!span) return;
    $("find").value = "";
    span.scrollIntoView({ block: "center" });
    pick(span);
    isFound = true;
  };
}

// Scroll a page to the first of its fields, and nothing around it.
export function toFirst(view) {
  const mark = view.querySelector("mark.wi");
  if (mark) view.defaultView.scrollTo(0, mark.getBoundingClientRect().top - view.defaultView.innerHeight / 3);
}

// Show where a field is on a page; false where it is not to be seen.
export function locate(view, field) {
  const fieldsOf = ({ dataset }) => (dataset.wiField ? [dataset.wiField] : JSON.parse(dataset.wiFields));
  const isIt = (name) => name === field || name.startsWith(`${field}.`);
  const marks = [...view.querySelectorAll("[data-wi-field], [data-wi-fields]")];
  const mark = marks.find((element) => fieldsOf(element).some(isIt));
  mark?.scrollIntoView({ block: "center" });
  mark?.animate([{ outline: "6px solid #0b5ea8" }, { outline: "6px solid transparent" }], 1500);
  return Boolean(mark);
}

function pick(target) {
  const text = target.closest("span[data-wi-start]");
  const withAttributes = target.closest("[data-wi-attributes]");
  if (!text && !withAttributes) return;
  const at = Number((text || withAttributes).dataset.wiStart);
  if (picked && $("as-list").ariaPressed === "true") {
    picked.other = at;
    outline(text || target);
    $("list-hint").textContent = `The list of “${brief($("value").value)}” and “${brief(folded(text || target))}”.`;
    $("field").focus();
    return;
  }
  const selected = String(target.ownerDocument.getSelection()).trim();
  const whole = text ? text.textContent : "";
  picked = { at };
  isFound = false;
  reset();
  outline(text || withAttributes);
  const mark = target.closest("mark")?.dataset ?? {};
  const all = mark.wiValue ?? (text ? folded(text) : "");
  $("value").value = selected && whole.includes(selected) ? wholeWords(whole, selected) : all;
  $("field").value = mark.wiField ?? "";
  offerAttributes(withAttributes);
  $("pick").hidden = false;
  $("hint").hidden = true;
  $("field").focus();
}

// A part of a text that begins and ends with whole words and numbers: a mouse is seldom that exact.
function wholeWords(text, part) {
  const isWithin = (at) => /^(\p{L}\p{L}|\p{N}\p{N})$/u.test(text.slice(at - 1, at + 1));
  let start = text.indexOf(part);
  let end = start + part.length;
  while (isWithin(start)) start -= 1;
  while (isWithin(end)) end += 1;
  return text.slice(start, end);
}

function offerAttributes(element) {
  const attributes = element ? JSON.parse(element.dataset.wiAttributes) : {};
  $("attributes").replaceChildren(
    ...Object.entries(attributes).map(([name, value]) => {
      const button = make("button", { type: "button", textContent: `Take its ${name}`, title: value });
      button.onclick = () => {
        $("value").value = value;
        picked.at = Number(element.dataset.wiStart);
      };
      return button;
    }),
  );
}

function folded(element) {
  const text = [...element.childNodes].map((node) => node.textContent).join("");
  return text.replace(/\s+/g, " ").trim();
}

function brief(text) {
  return text.length > LONGEST_HINT ? `${text.slice(0, LONGEST_HINT)}…` : text;
}

function reset() {
  $("add").checked = false;
  $("as-list").ariaPressed = "false";
  $("list-hint").hidden = true;
  $("list-hint").textContent = "Now click another item of the list.";
  for (const element of outlined) element.style.outline = "";
  outlined = [];
}

function outline(element) {
  element.style.outline = "3px solid #0b5ea8";
  outlined.push(element);
}

export function close() {
  picked = null;
  reset();
  $("pick").hidden = true;
  $("hint").hidden = !$("document").hidden;
  if (isFound) $("find").focus();
  isFound = false;
}

export function connect(page, correct) {
  $("as-list").onclick = () => {
    const pressed = $("as-list").ariaPressed !== "true";
    const [first] = outlined;
    reset();
    outline(first);
    $("as-list").ariaPressed = String(pressed);
    $("list-hint").hidden = !pressed;
    delete picked.other;
  };
  $("cancel").onclick = close;
  $("pick").onkeydown = (event) => {
    if (event.key === "Escape") close();
  };
  $("pick").onsubmit = (event) => {
    event.preventDefault();
    if (document.body.hasAttribute("aria-busy")) return;
    const field = $("field").value;
    if (picked.other !== undefined) correct("list", { page: page(), field, at: picked.at, other: picked.other });
    else correct("value", { page: page(), field, value: $("value").value, at: picked.at, add: $("add").checked });
  };
}
