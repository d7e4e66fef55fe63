"use strict";
// Format: numbers as text, and text that the user typed as numbers.

/** The shortest usual form of a number that still equals it. */
function exactNumber(number) {
  const short = Number(number.toPrecision(12));
  const kept = Math.abs(short - number) <= 1e-15 * Math.abs(number) ? short : number;
  return String(kept).replace("-", "−");
}

/** A weight: an integer or two decimals; large ones in groups of three digits. */
function formatWeight(weight) {
  if (weight > 0 && weight < 0.01) return weight.toPrecision(2);
  const text = weight.toFixed(2).replace(/\.?0+$/, "");
  const [whole, part] = text.split(".");
  if (whole.replace("-", "").length < 5) return text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return part ? grouped + "." + part : grouped;
}

/** A count, in groups of three digits. */
function formatCount(count) {
  return formatWeight(count);
}

/** A number with a few digits: 0.246, 12.5, 1.2e−5. */
function formatNumber(number, digits = 3) {
  if (number === null || number === undefined || !Number.isFinite(number)) return "–";
  if (number === 0) return "0";
  const size = Math.abs(number);
  let text;
  if (size >= 1e7 || size < 1e-4) text = number.toExponential(digits - 1);
  else if (size >= 1000) text = formatWeight(Math.round(number * 10) / 10);
  else if (size >= 1)
    text = number
      .toFixed(Math.max(0, digits - 1))
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, "");
  else text = String(Number(number.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

const DAY = 86400000;

/** Whether the numbers of a column are dates or times. */
function isMoment(column) {
  return column.part === "days" || column.part === "hours";
}

/** A value of a column with all its digits. */
function exactCell(column, number) {
  return number === undefined ? "" : isMoment(column) ? formatCell(column, number) : exactNumber(number);
}

/** A value of a column: a number of days as a date, a number of hours as a time, other numbers with a few digits. */
function formatCell(column, number, digits = 3) {
  const milliseconds = Math.round(number * (column.part === "hours" ? DAY / 24 : DAY));
  const isTime = column.part === "hours" && milliseconds >= 0 && milliseconds < DAY;
  if (!isTime && !(column.part === "days" && Math.abs(milliseconds) < 8.64e15)) return formatNumber(number, digits);
  const [day, time] = new Date(milliseconds).toISOString().split("T");
  const clock = time
    .replace(/Z$/, "")
    .replace(/\.000$/, "")
    .replace(/:00$/, "");
  if (isTime) return clock;
  return clock === "00:00" ? day : day + " " + clock;
}

/** What the user typed into the field of a column: a date such as 2024-02-29 13:30, a time, or a number. */
function parseCell(column, text) {
  const plain = text.normalize("NFKC").trim();
  const clock = column.part === "hours" && /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(plain);
  if (clock) return Number(clock[1]) + Number(clock[2]) / 60 + Number(clock[3] || 0) / 3600;
  if (column.part !== "days") return parseNumber(text);
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(plain);
  return found ? Date.parse(`${found[1]}T${found[2] || "00:00"}Z`) / DAY : NaN;
}

/** The year, month, weekday (1 is Monday) or hour of a number of days. */
function datePart(days, part) {
  const moment = new Date(Math.round(days * DAY));
  if (Number.isNaN(moment.getTime())) return NaN;
  if (part === "year") return moment.getUTCFullYear();
  if (part === "month") return moment.getUTCMonth() + 1;
  return part === "weekday" ? ((moment.getUTCDay() + 6) % 7) + 1 : moment.getUTCHours();
}

/** A proportion in per cent, with a decimal if needed. */
function percent(proportion) {
  if (proportion === null || proportion === undefined || !Number.isFinite(proportion)) return "–";
  const hundred = proportion * 100;
  if (hundred > 0 && hundred < 0.1) return "<0.1\u202f%";
  if (hundred > 99.9 && hundred < 100) return ">99.9\u202f%";
  const shown = Math.abs(hundred - Math.round(hundred)) < 0.05 ? String(Math.round(hundred)) : hundred.toFixed(1);
  return shown + "\u202f%";
}

/**
 * A number as the user typed it, with decimal point or comma, with or without groups, in ASCII or full-width
 * characters. NaN if it is not a number.
 */
function parseNumber(text) {
  let plain = text
    .normalize("NFKC")
    .trim()
    .replace(/[−–—]/g, "-")
    .replace(/(\d)[\s'’_\u202f](?=\d{3}(\D|$))/g, "$1");
  // If one sign groups digits by three, the other one is the decimal sign; a sign that occurs once is decimal.
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d*$|^[+-]?\d{1,3}(,\d{3}){2,}$/.test(plain)) plain = plain.replace(/,/g, "");
  else if (/^[+-]?\d{1,3}(\.\d{3})+,\d*$|^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(plain)) plain = plain.replace(/\./g, "");
  plain = plain.replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return NaN;
  const number = Number(plain);
  return Number.isFinite(number) ? number : NaN;
}

/** A few round numbers that cover the range from low to high. */
function ticks(low, high, about = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) || 10 * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    found.push(Number((i * step).toPrecision(12)));
  return found;
}
