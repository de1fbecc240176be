// The table of what all pages give.

import { $, chip, make, short } from "./server.js";

const LONGEST_CELL = 120;
const ROOM_BEFORE_NEWS = 300;

// What the last correction has changed stands out; the table is moved to where that is, or to a field.
export function showItems(state, before, field, open) {
  const fields = shownFields(state);
  const heads = fields.map((one) => make("th", { scope: "col" }, chip(one)));
  const head = make("tr", {}, make("th", { textContent: "page", scope: "col" }), ...heads);
  const rows = state.pages.flatMap((page, index) => pageRows(page, before?.pages[index], fields, (name) => open(index, name)));
  $("items").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  const named = heads[fields.findIndex(({ name }) => name === field)];
  const news = named ?? $("items").querySelector("td.news");
  if (news) $("items").parentElement.scrollLeft = news.offsetLeft - ROOM_BEFORE_NEWS;
}

// What a correction of some fields has done, in words: on how many pages the field is, and what else reads otherwise.
export function effect(state, before, field, others) {
  const having = state.pages.filter((page) => page.records.some((record) => field in record)).length;
  const told = having ? [`${field}: on ${having} of ${state.pages.length} pages`] : [`${state.fields.length} fields`];
  const changed = shownFields(state)
    .map(({ name }) => [name, state.pages.filter((page, index) => isNews(page, before.pages[index], name)).length])
    .filter(([name, count]) => count && !others.includes(name));
  for (const [name, count] of changed) told.push(`${name} reads otherwise on ${count}`);
  return told.join("; ");
}

// Those that are merged into another are shown there.
function shownFields(state) {
  return state.fields.filter((field) => !field.type.startsWith("as "));
}

function isNews(page, before, name) {
  const value = ({ records }, place) => JSON.stringify(records[place]?.[name]);
  return Boolean(before) && page.records.some((_, place) => value(page, place) !== value(before, place));
}

function pageRows(page, before, fields, open) {
  const name = () => make("button", { textContent: short(page.name), type: "button", onclick: () => open() });
  const rows = (page.records.length ? page.records : [{}]).map((record, place) => {
    const old = before?.records[place];
    const cells = fields.map(({ name }) => cell(record[name], old ? old[name] : record[name], () => open(name)));
    return make("tr", {}, make("th", { scope: "row" }, name()), ...cells);
  });
  const more = page.count - page.records.length;
  if (more > 0) rows.push(make("tr", {}, make("td", { colSpan: fields.length + 1, className: "more" }, `… and ${more} more records of ${short(page.name)}`)));
  return rows;
}

function cell(value, old, onclick) {
  const text = asText(value);
  const made = make("td", { textContent: text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text, title: text, onclick });
  if (value?.untyped !== undefined) {
    made.classList.add("untyped");
    made.title = "not of the field's type: left out of items";
  }
  made.classList.toggle("news", JSON.stringify(value) !== JSON.stringify(old));
  return made;
}

function asText(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(asText).join(" · ");
  if (typeof value !== "object") return String(value);
  return "untyped" in value ? asText(value.untyped) : Object.values(value).map(asText).join(" ");
}
