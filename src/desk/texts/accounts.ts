/** The texts of the pages for admins. */
export const accountTexts = {
  title: 'Accounts',
  explain:
    'Maintainers change data; admins also see this page and the audit log. Accounts of an identity provider are not listed: it manages them.',
  listNote: (count: string) => `Accounts: ${count}`,
  username: 'Name',
  role: 'Role',
  state: 'State',
  roles: { maintainer: 'maintainer', admin: 'admin' },
  /** What messages call fields. */
  labels: { username: 'Name', role: 'Role', enabled: 'State' },
  enabled: 'enabled',
  disabled: 'disabled',
  noPassword: 'no password yet',
  invitedUntil: 'Invitation open until (UTC)',
  created: 'Created (UTC)',
  passwordChanged: 'Password changed (UTC)',
  lastLogin: 'Last login (UTC)',
  never: 'never',
  self: 'This is your own account.',
  disableNote: 'A disabled account loses its sessions and tokens at once.',
  save: 'Save',
  saved: (name: string) => `${name} is saved.`,
  changes: 'What this account has changed',
};

/** The texts of invitations: for admins, and for those who are invited. */
export const invitationTexts = {
  title: 'Invitation',
  invite: 'Invite a colleague',
  inviteHow: (hours: number) =>
    `You get an address to send to your colleague, who sets a password there. It is open for ${hours} hours and works once.`,
  usernameHint: '3 to 150 letters, digits and @ . + - _',
  submit: 'Invite',
  none: 'none',
  until: 'An invitation is open until',
  withdraw: 'Withdraw',
  withdrawOf: (username: string) => `Withdraw the invitation of ${username}`,
  withdrawn: (username: string) => `The invitation of ${username} is withdrawn.`,
  noPassword:
    'This account has no password yet, so nobody can sign in with it. An invitation leads to a page where it is set.',
  forgotten:
    'Where the password is forgotten, an invitation leads to a page where a new one is set. The old one is valid until then; after that all sessions and tokens of the account end.',
  ofDisabled: 'A disabled account gets no invitation.',
  make: 'Make an invitation',
  makeNew: 'Make another invitation',
  replaces: 'Another one ends it.',
  issued: (username: string) => `Invitation of ${username}`,
  send: (username: string) =>
    `Send this address to ${username}, and to nobody else: whoever opens it sets the password of the account. It is shown here only now.`,
  address: 'Address',
  validity: 'It works once, until',
  replaced: 'The invitation that was open before has ended.',
  backToAccounts: 'All accounts',
  toAccount: 'This account',
  setPassword: 'Set your password',
  setHow:
    'Choose the password with which you sign in here. This address works once; after that you sign in with the new password.',
  username: 'User name',
  password: 'New password',
  passwordHint:
    'At least 12 characters, without your user name, and none that is easy to guess. A few words that belong together only for you are good.',
  again: 'The same password again',
  differ: 'The two passwords differ: type the new password twice.',
  setSubmit: 'Set the password',
  notValid: 'This address is not valid',
  notValidHow:
    'It has been used, withdrawn or replaced, it is older than 72 hours, or it is not complete. Nothing has been changed.',
  whomToAsk:
    'Ask whoever has sent it to you for a new one. An admin of this service can make it at any time, also where you have forgotten your password.',
  toLogin: 'I have a password: sign in',
};

export const auditTexts = {
  title: 'Audit log',
  explain: 'Every change of data and accounts: who made it, when, and what it changed.',
  none: 'There are no such changes.',
  listNote: (count: string) => `Changes: ${count}, newest first`,
  any: 'Any',
  show: 'Show',
  table: 'Table',
  action: 'Action',
  account: 'Account',
  record: 'Record',
  changeSet: 'Change set',
  from: 'From',
  to: 'To',
  at: 'Time (UTC)',
  command: 'command',
  changes: 'Changes',
  fields: (count: number) => `${count} fields`,
  /** Tables by what their records are; others are called as they are. */
  tables: {
    observation: 'price',
    price_serie: 'series',
    series_join: 'joined series',
    cpi: 'consumer price index',
    fx_rate: 'exchange rate',
  } as Readonly<Record<string, string | undefined>>,
  priceOf: { daily: 'daily price of', weekly: 'weekly price of', monthly: 'monthly price of' },
  into: 'into',
  gone: 'a series that has gone',
  history: (table: string) => `All changes of this ${table}`,
};
