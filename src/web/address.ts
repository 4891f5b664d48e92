/** Values of parameters; those that are missing are left out of addresses. */
export type AddressValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path of this server with its parameters, in the order given. */
export function addressOf(path: string, values: AddressValues): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
