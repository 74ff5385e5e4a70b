import { count, dollars, roundDollars } from '../../../../contract/format.ts'
import { may } from '../../../data/may.ts'
import { href } from '../../../routing/routes.ts'
import { ask, command, type OneContext, OUTSIDE_SECONDS, type Result } from '../../command.ts'
import type { Subject } from '../../subject.ts'
import { either, listed, named } from '../../words.ts'
import { PROJECTS, reason } from './asked.ts'

/** " to $1,250.00", or empty before an amount is typed. */
const to = (cents: unknown): string => (typeof cents === 'number' && Number.isFinite(cents) ? ` to ${dollars(cents)}` : '')

/** The displayed revision and price: if one has changed, the server refuses rather than deciding on the new one. */
const seen = ({ record }: Subject): { cost_cents?: number; quote_id?: number; lock_version?: number } => ({
  ...(typeof record?.cost_cents === 'number' ? { cost_cents: record.cost_cents } : {}),
  ...(typeof record?.quote_id === 'number' && typeof record.quote_lock_version === 'number'
    ? { quote_id: record.quote_id, lock_version: record.quote_lock_version }
    : {}),
})

/** "400 completes at $2.50. "; empty where the subject doesn't tell both. */
const bought = ({ record }: Subject): string =>
  typeof record?.ordered === 'number' && typeof record.cost_per_complete_cents === 'number'
    ? `${count(record.ordered)} completes at ${dollars(record.cost_per_complete_cents)}. `
    : ''

/** After a client user's decision: leads to the next quote that waits for them, else to the Specifications. */
async function decided(title: string, { api, subject }: Pick<OneContext<unknown>, 'api' | 'subject'>): Promise<Result['dialog']> {
  if (may('project.approveForClient')) return undefined
  // The decision is made, whether or not the next quote can be read.
  const waiting = await api.read('project.waiting', {}).catch(() => null)
  const next = waiting?.data.find(({ id }) => id !== subject.id)
  const { id } = subject
  const specifications =
    subject.kind === 'campaign'
      ? href('surveyProject', { id }, { tab: 'specifications' })
      : href('project', { id }, { tab: 'specifications' })
  return {
    title,
    body: `${named(subject)} is ${title === 'Approved' ? 'approved' : 'back on quote'}.${next ? ` The quote for ${named({ ...next, kind: 'project' })} waits next.` : ''}`,
    leadsTo: next ? href('clientApproval', { id: next.id }) : specifications,
  }
}

/** Asked of administrators only: they decide in the client's name and say why. */
const note = ask.text({
  ...reason,
  label: 'Note',
  placeholder: 'Why you approve on the client’s behalf',
  when: () => may('project.approveForClient'),
})

// Declared outside the row, where the compiler would infer their type from the union of all questions.
const cost = ask.number({ label: 'Cost', money: true, unit: '$', min: 1, prefill: ([subject]) => subject?.record?.cost_cents })
const valid_until = ask.date({ label: 'Valid until', optional: true, prefill: ([subject]) => subject?.record?.quote_valid_until })

/** A project's quote: assign partners, set the cost, send it, answer it (projects-area 4, decisions.md 4). */
export const quoteCommands = {
  'project.assignPartner': command({
    title: 'Assign partner…',
    on: PROJECTS,
    many: true,
    keywords: 'invite channel',
    icon: 'link',
    asks: { partner: ask.entity({ kind: 'partner', label: 'Partner' }) },
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Assign this partner to ${listed(subjects)}?`,
      body: 'You can email them next.',
      action: 'Assign',
    }),
    each: {
      done: ['has the partner', 'have the partner'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.assignPartner', { project_id: subject.id, partner_id: answers.partner }, { signal }),
    },
  }),
  'project.mailPartner': command({
    title: 'Email partner…',
    on: PROJECTS,
    keywords: 'feasibility send',
    icon: 'mail',
    delay: OUTSIDE_SECONDS,
    asks: {
      partner: ask.entity({
        kind: 'partner',
        label: 'Partner',
        async among(api, subjects) {
          const { data } = await api.read('project.get', { id: subjects[0]!.id })
          return data.partners.map((partner) => ({ value: String(partner.id), label: partner.name }))
        },
      }),
    },
    confirm: (subjects) => ({
      title: `Email the partner about ${listed(subjects)}?`,
      body: 'They get an email with their own link, valid for 14 days.',
      action: 'Mail',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('project.mailPartnerNow', { project_id: subject.id, partner_id: answers.partner })
      return { message: message }
    },
  }),
  'project.setCost': command({
    title: 'Set cost…',
    on: PROJECTS,
    keywords: 'price quote',
    icon: 'coins',
    undo: 'restores',
    asks: { cost, valid_until },
    confirm: (subjects, answers) => ({
      title: `Set the cost of ${listed(subjects)}${to(answers.cost)}?`,
      body: 'You can change it until it is sent to the client. The history keeps each cost.',
      action: 'Set cost',
    }),
    async run({ api, subject, answers }) {
      await api.write('project.setCost', {
        id: subject.id,
        cost_cents: answers.cost,
        ...(answers.valid_until ? { valid_until: answers.valid_until } : {}),
        // Before a partner is invited, a cost can only be a target.
        ...(subject.record?.stored_status === 'requirements' ? { hold: true } : {}),
      })
      return { message: `The cost is ${dollars(answers.cost)}` }
    },
  }),
  'project.reprice': command({
    title: 'Re-price…',
    on: PROJECTS,
    keywords: 'cost price quote change again',
    icon: 'coins',
    irreversible: true,
    asks: { cost, valid_until, reason },
    confirm: (subjects, answers) => ({
      title: `Re-price ${listed(subjects)}${to(answers.cost)}?`,
      body: 'It goes back to the client for approval, by email. It can go live again once they approve.',
      action: 'Re-price',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('project.setCost', {
        id: subject.id,
        cost_cents: answers.cost,
        reason: answers.reason,
        ...(answers.valid_until ? { valid_until: answers.valid_until } : {}),
      })
      return { message: message }
    },
  }),
  'project.notifyCost': command({
    title: 'Email the client the cost',
    on: PROJECTS,
    keywords: 'quote notification',
    icon: 'mail',
    delay: OUTSIDE_SECONDS,
    many: true,
    confirm: (subjects) => ({
      title: `Mail the ${either(subjects, 'client', 'clients')} what ${listed(subjects)} ${either(subjects, 'costs', 'cost')}?`,
      body: `They get a link to approve or reject ${either(subjects, 'the quote', 'each quote')}.`,
      action: 'Mail',
    }),
    each: {
      done: ['is quoted to the client by email', 'are quoted to their clients by email'],
      one: ({ api, subject, signal }) => api.write('project.notifyCostNow', { id: subject.id }, { signal }),
    },
  }),
  'project.approve': command({
    title: 'Approve quote',
    on: PROJECTS,
    keywords: 'accept authorize',
    icon: 'check',
    many: true,
    irreversible: true,
    asks: { reason: note },
    confirm: (subjects) => {
      const costs = subjects.map((subject) => subject.record?.cost_cents).filter((cost) => typeof cost === 'number')
      const sum = costs.reduce((a, b) => a + b, 0)
      const [one] = subjects
      if (one && subjects.length === 1)
        return {
          title: `Approve ${named(one)}${costs.length ? ` for ${roundDollars(sum)}` : ''}?`,
          body: `${bought(one)}It can be launched then.`,
          action: 'Approve',
        }
      return {
        title: `Approve ${count(subjects.length)} quotes${costs.length ? ` for ${roundDollars(sum)} in all` : ''}?`,
        body: 'They can be launched then.',
        action: 'Approve',
      }
    },
    each: {
      done: ['is approved', 'are approved'],
      leads: (context) => decided('Approved', context),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.approve',
          { project_id: subject.id, status: 'QuoteApproved', reason: answers.reason ?? '', ...seen(subject) },
          { signal },
        ),
    },
  }),
  'project.rejectQuote': command({
    title: 'Reject quote…',
    on: PROJECTS,
    icon: 'x',
    many: true,
    irreversible: true,
    asks: { reason: ask.text({ ...reason, placeholder: 'What should change: price, timing, audience or something else' }) },
    confirm: (subjects) => ({
      title: `Reject the ${either(subjects, 'quote', 'quotes')} for ${listed(subjects)}?`,
      body: either(
        subjects,
        'A new round opens without a cost. Its partners can quote again.',
        'A new round opens for each, without a cost. Their partners can quote again.',
      ),
      action: 'Reject quote',
    }),
    each: {
      done: ['is back on quote', 'are back on quote'],
      leads: (context) => decided('Rejected', context),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.reject',
          { project_id: subject.id, status: 'OnQuote', reason: answers.reason, ...seen(subject) },
          { signal },
        ),
    },
  }),
} as const
