// What there is to take away: the saved wrapper, and files of selectors.

import { $, query } from "./server.js";

let template = "";
let file = null;

export function show(state) {
  template = state.template;
  const [examples, wrapper] = state.files;
  $("saved").textContent = state.saved
    ? `The wrapper is saved as ${wrapper}, your corrections as ${examples}.`
    : "Nothing is saved before the first correction.";
  $("save").hidden = state.saved;
  $("take").disabled = !state.fields.length;
}

export function open() {
  $("item-name").value = "";
  $("takeaway").showModal();
  return derive();
}

async function derive() {
  const asked = { template, form: $("form").value, name: $("item-name").value };
  say("Deriving selectors from the sample pages…");
  $("takeaway").setAttribute("aria-busy", "true");
  try {
    write(await query("export", asked));
  } catch (error) {
    write(null);
    say(error.message, true);
  } finally {
    $("takeaway").removeAttribute("aria-busy");
  }
}

function write(given) {
  URL.revokeObjectURL($("download").href);
  file = given;
  $("export-text").textContent = file?.text ?? "";
  for (const id of ["copy", "download", "run"]) $(id).hidden = !file;
  if (!file) return;
  $("item-name").placeholder = file.name;
  $("download").download = file.file;
  $("download").href = URL.createObjectURL(new Blob([file.text], { type: "text/plain" }));
  $("run").textContent = $("form").value === "parsel" ? `scrapy runspider ${file.file} -o items.jsonl` : "";
  say(file.words.join("\n"));
}

function say(text, isError = false) {
  $("export-status").textContent = text;
  $("export-status").classList.toggle("error", isError);
}

export function connect(save) {
  $("save").onclick = save;
  $("form").onchange = derive;
  $("item-name").onchange = derive;
  $("export").onsubmit = (event) => event.preventDefault();
  $("takeaway-close").onclick = () => $("takeaway").close();
  $("copy").onclick = async () => {
    await navigator.clipboard.writeText(file.text);
    say("Copied.");
  };
}
