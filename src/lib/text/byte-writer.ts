/** The four digits of each number below 10,000, concatenated. */
const FOUR_DIGITS = Buffer.from(
  Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0')).join(''),
);

const ZERO = 48;
const POINT = 46;

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Most significant digits of the service's numbers. */
const DIGITS = 15;

/**
 * For each binary exponent, the power of ten that scales its smallest number into [1e14, 1e15); -1
 * for numbers that are written the slow way: below 1e-6, and 5e14 or more.
 */
const SCALES = Int8Array.from({ length: 2048 }, (_, exponent) => {
  const least = 2 ** (exponent - 1023);
  return least >= 1e-6 && least < 5e14 ? DIGITS - 1 - Math.floor(Math.log10(least)) : -1;
});

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Index of the 32-bit half of a double that has its sign and exponent (depends on endianness). */
const HIGH_WORD = new Int32Array(new Float64Array([1]).buffer)[1] === 0 ? 0 : 1;

/** Capacity that is always kept free, so that writing a number needs no check of its own. */
const RESERVE = 64;

/**
 * A growing buffer of UTF-8 text, for responses with many numbers. Numbers are formatted directly
 * as bytes, without a string in between, in half the time of `JSON.stringify`.
 */
export class ByteWriter {
  private bytes: Buffer;
  private end = 0;

  /** @param capacity initial size in bytes; the buffer grows as needed */
  constructor(capacity = 32_768) {
    this.bytes = Buffer.allocUnsafe(capacity + RESERVE);
  }

  /** Returns a copy of what was written, and empties the writer. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.end));
    this.end = 0;
    return taken;
  }

  /** Writes encoded bytes, such as keys and punctuation. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** Writes any text. */
  text(text: string): void {
    this.reserve(text.length * 3);
    this.end += this.bytes.write(text, this.end);
  }

  /** Writes text that is only ASCII. */
  ascii(text: string): void {
    const { length } = text;
    this.reserve(length);
    for (let at = 0; at < length; at++) this.bytes[this.end + at] = text.charCodeAt(at);
    this.end += length;
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  integer(value: number): void {
    this.reserve(0);
    const start = this.end;
    const high = Math.floor(value / 1e8);
    const end = this.writeEightDigits(value - high * 1e8, this.writeEightDigits(high, start));
    let first = start;
    while (first < end - 1 && this.bytes[first] === ZERO) first++;
    if (first > start) this.bytes.copyWithin(start, first, end);
    this.end = start + end - first;
  }

  /** Writes a number rounded to 15 significant digits as JSON does: `null` if it is not finite. */
  decimal(value: number): void {
    double[0] = value;
    // The sign bit is above the exponent, so negative numbers, which are rare, take the slow path
    // too.
    let scale = SCALES[words[HIGH_WORD]! >>> 20] ?? -1;
    if (scale === -1) return this.slowDecimal(value);
    let scaled = value * POWERS_OF_TEN[scale]!;
    if (scaled >= 1e15) scaled = value * POWERS_OF_TEN[--scale]!;
    let digits = Math.floor(scaled);
    const fraction = scaled - digits;
    // The error of the product is at most 1/16, so except near 0.5 the rounding is exact.
    if (fraction >= 0.4375) {
      if (fraction <= 0.5625 || digits === 1e15 - 1) return this.slowDecimal(value);
      digits++;
    }
    this.reserve(0);
    this.end = this.writeWithPoint(digits, DIGITS - scale);
  }

  private slowDecimal(value: number): void {
    this.ascii(JSON.stringify(Number(value.toPrecision(DIGITS))));
  }

  /**
   * Writes 15 digits with a decimal point after the first `whole` of them, or with leading zeros if
   * `whole` is 0 or negative; trailing zeros are left out.
   * @returns the end of the number in the buffer
   */
  private writeWithPoint(digits: number, whole: number): number {
    const { bytes } = this;
    let start = this.end;
    if (whole <= 0) {
      bytes[start++] = ZERO;
      bytes[start++] = POINT;
      for (let zeros = whole; zeros < 0; zeros++) bytes[start++] = ZERO;
    }
    const high = Math.floor(digits / 1e8);
    const low = digits - high * 1e8;
    const first = (high / 10_000) | 0;
    bytes[start] = FOUR_DIGITS[first * 4 + 1]!;
    bytes[start + 1] = FOUR_DIGITS[first * 4 + 2]!;
    bytes[start + 2] = FOUR_DIGITS[first * 4 + 3]!;
    this.writeFourDigits(high - first * 10_000, start + 3);
    // Most numbers have few digits.
    let end = low === 0 ? start + 7 : this.writeEightDigits(low, start + 7);
    if (whole <= 0) {
      while (bytes[end - 1] === ZERO) end--;
      return end;
    }
    const point = start + whole;
    while (end < point) bytes[end++] = ZERO;
    while (end > point && bytes[end - 1] === ZERO) end--;
    if (end === point) return end;
    for (let at = end; at > point; at--) bytes[at] = bytes[at - 1]!;
    bytes[point] = POINT;
    return end + 1;
  }

  /** Writes a number below 10^8 as eight digits. */
  private writeEightDigits(value: number, at: number): number {
    const high = (value / 10_000) | 0;
    return this.writeFourDigits(value - high * 10_000, this.writeFourDigits(high, at));
  }

  private writeFourDigits(value: number, at: number): number {
    const { bytes } = this;
    const from = value * 4;
    bytes[at] = FOUR_DIGITS[from]!;
    bytes[at + 1] = FOUR_DIGITS[from + 1]!;
    bytes[at + 2] = FOUR_DIGITS[from + 2]!;
    bytes[at + 3] = FOUR_DIGITS[from + 3]!;
    return at + 4;
  }

  /** Ensures capacity for `length` bytes and a number after them. */
  private reserve(length: number): void {
    const needed = this.end + length + RESERVE;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
  }
}
