/** Filters for partners that need attention (screens-quote-flow.md, Channel partners). */
export const PARTNER_FILTERS = [
  { value: 'open', label: 'has open invitations' },
  { value: 'silent', label: 'silent over 30 days' },
  { value: 'no_email', label: 'no email' },
  { value: 'never_asked', label: 'never asked' },
] as const
