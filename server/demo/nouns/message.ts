import type { ProjectDraft } from '../draft.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import type { Random } from '../random.ts'

export const message = demoNoun({
  tables: ['messages'],
  after: ['project', 'user', 'partner'],
  example: (nth) => ({ partner_id: 0, client_id: 0, side: 'agency', author_id: null, text: `Message ${nth}` }),
})

type Exchange = readonly [question: string, answer: string]
/** What clients and partners ask, and what the agency answers. */
const WITH_CLIENT: readonly Exchange[] = [
  ['Are teens included, or does it begin at 18?', 'It begins at 18. We can add 16 and 17 for the same price.'],
  ['Can we see toplines before the end date?', 'Yes: the results are live, and we freeze them two days before.'],
  ['Is the Spanish version part of the quote?', 'It is. Please send us the translated questionnaire by Friday.'],
  ['How many of the completes will be from stores in Texas?', 'About a fifth, as in your last wave.'],
]
const WITH_PARTNER: readonly Exchange[] = [
  ['Is the incidence before or after the screener?', 'After it. Before, we expect about half of that.'],
  ['May we use river sample for the last tenth?', 'Please don’t. Tell us if it gets slow, and we’ll widen the quotas.'],
  ['Which devices does the questionnaire support?', 'All of them; nine in ten come by phone.'],
]
const HOUR_MS = 3_600_000
/** Of so many projects one has a conversation. */
const EVERY = { client: 5, partner: 7 }

function ofProject(random: Random, { calendar, people }: Market, { plan, cast, story }: ProjectDraft) {
  const latest = calendar.now.getTime() - 60_000
  const thread = (by: 'client' | 'partner', of: { partner_id: number; client_id: number }) => {
    const [question, answer] = random.pick(by === 'client' ? WITH_CLIENT : WITH_PARTNER)
    const written = (side: 'agency' | 'client' | 'partner', text: string, hours: number) => {
      const at = new Date(Math.min(latest, Date.parse(story.updated_at) + hours * HOUR_MS)).toISOString()
      const author_id = side === 'partner' ? null : side === 'client' ? cast.requester : cast.admin
      const stamps = { created_at: at, updated_at: at, lock_version: 1 }
      return { ...of, ...stamps, project_id: plan.id, side, author_id, text }
    }
    return [written(by, question, 1), ...(random.chance(0.6) ? [written('agency', answer, 2)] : [])]
  }
  const [invited] = story.invited.filter(({ revoked_at }) => !revoked_at)
  return {
    messages: [
      ...(plan.id % EVERY.client === 3 && cast.requesterIsClient
        ? thread('client', { partner_id: 0, client_id: people.clients[plan.client]!.id! })
        : []),
      ...(plan.id % EVERY.partner === 2 && invited ? thread('partner', { partner_id: invited.partner_id, client_id: 0 }) : []),
    ],
  }
}

export const rows: NounRows<'messages'> = { ofProject }

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly message: typeof message
  }
}
