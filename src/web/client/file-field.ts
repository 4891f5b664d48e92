/**
 * Lets a file be dropped anywhere on the form of a field for one file, and keeps a file from being
 * sent that is larger than `data-max-bytes`: the field says what the service would say after it.
 */
export function addFileField(input: HTMLInputElement): void {
  const { form, dataset } = input;
  if (form === null) return;
  const check = () => {
    const isTooLarge = Array.from(input.files ?? []).some(({ size }) => size > Number(dataset.maxBytes));
    input.setCustomValidity(isTooLarge ? dataset.tooLarge! : '');
    return !isTooLarge;
  };
  const say = () => check() || input.reportValidity();
  input.addEventListener('change', say);
  form.addEventListener('dragover', (event) => {
    if (!event.dataTransfer!.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  form.addEventListener('dragleave', () => form.classList.remove('dropping'));
  form.addEventListener('drop', (event) => {
    form.classList.remove('dropping');
    const [file] = event.dataTransfer!.files;
    if (file === undefined) return;
    event.preventDefault();
    // The field takes one, also where several are dropped.
    const one = new DataTransfer();
    one.items.add(file);
    input.files = one.files;
    say();
  });
  // A page that is opened again may have kept its file.
  check();
}
