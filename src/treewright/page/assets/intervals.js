"use strict";
// Intervals: how far the share or the mean of a few rows may be from that of all such rows. In: the numbers of a leaf.
// Out: [low, high], or null. Clopper and Pearson's for a share, Student's for a mean, as in the library's explanations.

/** Lanczos' coefficients, g = 7, nine terms. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function, for x > 0. */
function logGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let series = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) series += LANCZOS[i] / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

/** The regularised incomplete beta function, by its continued fraction (Lentz's way). */
function incompleteBeta(a, b, x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  const kept = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m <= 10000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    product *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    product *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * product;
}

/** The x at which it is p, by halving. */
function inverseBeta(a, b, p) {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 200 && high - low > 1e-16 * high; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(a, b, middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The interval of a share: `hits` of `rows`, which need not be whole. */
function shareInterval(hits, rows, confidence = 0.95) {
  if (!(rows > 0)) return null;
  const known = Math.min(Math.max(hits, 0), rows);
  const outside = (1 - confidence) / 2;
  const low = known > 0 ? inverseBeta(known, rows - known + 1, outside) : 0;
  const high = known < rows ? inverseBeta(known + 1, rows - known, 1 - outside) : 1;
  return [low, high];
}

/** The interval of a mean, from the sum of squared errors. */
function meanInterval(mean, loss, rows, confidence = 0.95) {
  if (!(rows > 1)) return null;
  const freedom = rows - 1;
  const x = inverseBeta(freedom / 2, 0.5, 1 - confidence);
  const t = Math.sqrt((freedom * (1 - x)) / x);
  const reach = t * Math.sqrt(Math.max(loss, 0) / rows / freedom);
  return [mean - reach, mean + reach];
}
