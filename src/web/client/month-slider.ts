/**
 * Ties a slider to the choice of a month in its form: the slider says its month while it moves, and
 * chooses it, so that a form that is sent for the slider asks for that month.
 */
export function addMonthSlider(slider: HTMLInputElement): void {
  const choice = slider.form?.elements.namedItem(slider.dataset.months!);
  const shown = slider.parentElement?.querySelector('b');
  if (!(choice instanceof HTMLSelectElement) || !shown) return;
  slider.addEventListener('input', () => {
    const month = isoFromMonth(Number(slider.value));
    shown.textContent = choice.value = month;
    slider.setAttribute('aria-valuetext', month);
  });
}

/** `YYYY-MM` of a month number: the months since the year 0. */
const isoFromMonth = (month: number) =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
