import { field, type Texts } from './fieldKinds.ts'
import { percent } from './format.ts'
import { MESSAGES } from './messages.ts'

/** Numbers are required, with the sentence about those outside their limits. */
const within = <const M extends { readonly min: number; readonly max: number; readonly hint: string }>(
  label: string,
  more: M,
) => {
  const wrong = `${label} is between ${more.min} and ${more.max}`
  return { ...more, about: true, required: wrong, wrong } as const
}
const whole = <const M extends { readonly min: number; readonly max: number; readonly hint: string; readonly unit: string }>(
  label: string,
  more: M,
) => field.integer(label, within(label, more))
const mail = { wrong: MESSAGES.inviteEmail }

/** The organization's texts: its names, and the sender and footer of mails. */
const nameFields = {
  name: field.name('Organization name', {
    required: 'Organization Name cannot be blank',
    hint: 'In emails and on public pages.',
    about: true,
  }),
  product: field.name('Product name', { required: 'Product Name cannot be blank', hint: 'What people sign in to.', about: true }),
  support_team: field.name('Support team', { hint: 'Who reviews requests. Blank: the organization’s name.', about: true }),
  support_mail: field.email('Support email', {
    ...mail,
    required: MESSAGES.inviteEmailBlank,
    hint: 'Where people write for help.',
    about: true,
  }),
  sender_name: field.name('Sender name', { hint: 'Blank: the product’s name.', example: 'Acme Research', about: true }),
  sender_mail: field.email('Sender email', {
    ...mail,
    hint: 'Blank: the support email.',
    example: 'research@acme.example',
    about: true,
  }),
  reply_to: field.email('Reply-to', {
    ...mail,
    hint: 'Where replies go. Blank: to the sender.',
    example: 'help@acme.example',
    about: true,
  }),
  mail_footer: field.text('Footer', {
    lines: 4,
    max: 1000,
    pattern: /^([^\n]*\n){0,3}[^\n]*$/,
    wrong: 'Footer needs at most 4 lines',
    hint: 'Below every email, at most 4 lines.',
    example: 'Acme Research, 1 Main St',
    about: true,
  }),
}

/** The settings of quotes, requests and visits (screens-quote-flow.md and screens-visitation.md). */
export const settingFields = {
  usual_margin: field.percent(
    'Usual margin',
    within('Usual margin', { min: 0, max: 95, hint: 'The default margin of a quote.', example: 42 }),
  ),
  margin_floor: field.percent('Least margin', {
    ...within('Least margin', { min: 0, max: 95, hint: 'A lower margin is shown in red.', example: 9 }),
    against: (floor: string, { usual_margin }: Texts) =>
      Number(floor) > Number(usual_margin || 100)
        ? `The least margin can’t be above the usual margin of ${percent(Number(usual_margin))}`
        : null,
  }),
  /** Working days a partner has to answer. */
  answer_days: whole('Days to answer', {
    unit: 'working days',
    min: 1,
    max: 60,
    hint: 'Until a partner’s answer is due.',
    example: 7,
  }),
  valid_days: whole('Days of validity', { unit: 'days', min: 1, max: 365, hint: 'From the day a quote is made.', example: 21 }),
  invite_days: whole('Days until partners are invited', {
    unit: 'days',
    min: 1,
    max: 365,
    hint: 'From the request.',
    example: 2,
  }),
  answers_days: whole('Days until answers are in', { unit: 'days', min: 1, max: 365, hint: 'From the invitation.', example: 4 }),
  quoted_days: whole('Days until the client decides', {
    unit: 'days',
    min: 1,
    max: 365,
    hint: 'From the quote’s email.',
    example: 6,
  }),
  visits_keep_months: whole('Months of visits kept', {
    ...{ unit: 'months', min: 0, max: 120 },
    hint: 'Older raw visits are deleted; their counts stay. 0 keeps all.',
    example: 12,
  }),
  visits_silence_days: whole('Days until a service is silent', {
    ...{ unit: 'days', min: 1, max: 60 },
    hint: 'An active service without visits for longer turns red.',
    example: 3,
  }),
  visits_timeout_seconds: whole('Seconds a figure of visits may take', {
    ...{ unit: 'seconds', min: 1, max: 60 },
    hint: 'Longer requests stop with a hint.',
    example: 20,
  }),
  /** Mails partners whose offers weren't taken, too. */
  tell_not_chosen: field.flag('Tell partners who were not chosen', {
    required: 'is required',
    hint: 'They get a thank-you by email when a round is decided.',
    about: true,
    example: false,
  }),
}

/** The fields of the organization. */
export const organizationFields = { ...nameFields, ...settingFields }
export type OrganizationField = keyof typeof organizationFields
