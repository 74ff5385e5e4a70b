import { amountList } from './decimals.ts'
import { field, type Texts } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { readAmount } from './money.ts'
import { PROVIDERS } from './vocabulary.ts'

/** Returns the default code of a provider's reward: GC-005, PP-005; empty without an amount. */
const codeFor = ({ amount, partner_id }: Texts): string => {
  const { cents } = readAmount(amount)
  return cents && cents > 0
    ? `${Number(partner_id) === 600 ? 'PP' : 'GC'}-${String(Math.round(cents / 100)).padStart(3, '0')}`
    : ''
}

/** The fields of a reward of the catalogue, which a project pays with. */
export const rewardFields = {
  name: field.name('Reward name', { required: MESSAGES.rewardName, searched: true, hint: 'As receivers see it.', about: true }),
  amount: field.money('Amount', {
    column: 'amount_cents',
    required: MESSAGES.rewardAmount,
    unread: MESSAGES.rewardAmountUnread,
    wrong: MESSAGES.rewardAmountWrong,
    most: 9_999_999_999,
    hint: 'In dollars.',
    example: 72.5,
  }),
  partner_id: field.choice('Provider', {
    column: 'provider_id',
    options: PROVIDERS.map(({ value, label, allowed }) => ({ value, label, detail: `pays ${amountList(allowed)}` })),
    example: 600,
  }),
  provider_code: field.text('Provider code', {
    max: 50,
    code: true,
    searched: true,
    follows: 'amount',
    fill: codeFor,
    hint: (values) =>
      codeFor(values) ? `${codeFor(values)} if left empty.` : 'GC-005 for a $5 gift card, PP-005 at the second provider.',
  }),
  description: field.text('Description', { max: 2000, lines: 3 }),
}
