import { count, dollars } from '../../../contract/format.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import type { Invitation, Quote } from '../profferSubject.ts'
import type { Option } from '../subject.ts'
import { PROJECTS } from './project/reason.ts'

/** Describes an invitation: "Round 2 · Yes, 300 completes at $6.00", "Round 1 · opened". */
function detailOf(round: number, { state, answer }: Invitation): string {
  const { feasible_completes: completes, cpi_cents } = answer ?? {}
  const offer = [completes == null ? '' : `${count(completes)} completes`, cpi_cents == null ? '' : `at ${dollars(cpi_cents)}`]
  const words = state === 'yes' ? ['Yes', offer.filter(Boolean).join(' ')].filter(Boolean).join(', ') : state
  return `Round ${round} · ${words}`
}

/** Returns every invited partner, with the state of its newest round. */
export function askedPartners({ rounds }: Pick<Quote, 'rounds'>): Option[] {
  const rows = new Map<number, Option>()
  for (const { round, invitations } of rounds)
    for (const invitation of invitations) {
      const { partner_id, name } = invitation
      if (!rows.has(partner_id))
        rows.set(partner_id, { value: String(partner_id), label: name, detail: detailOf(round, invitation) })
    }
  return [...rows.values()]
}

/** A partner's invitation and answer, listed under their project (screens-quote-flow.md, Approval). */
export const answerCommands = {
  'proffer.open': command({
    title: 'Open a partner’s answer…',
    on: PROJECTS,
    rule: null,
    keywords: 'invitation response offer proffer partner feasibility',
    icon: 'partner',
    undo: 'needless',
    asks: {
      partner: ask.entity({
        kind: 'partner',
        label: 'Partner',
        among: async (api, [subject]) => askedPartners((await api.read('project.quote', { id: subject!.id })).data),
      }),
    },
    async run({ api, workspace, subject, answers }) {
      const { id } = subject
      const { data } = await api.read('project.quote', { id })
      const at = data.rounds.find(({ invitations }) => invitations.some(({ partner_id }) => partner_id === answers.partner))
      const round = at && at.round !== data.round ? { round: at.round } : {}
      const query = { at: 'responses', partner: answers.partner, ...round }
      workspace.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id }, { tab: 'approval', query })
          : href('project', { id }, { tab: 'approval', query }),
        'here',
      )
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof answerCommands> {}
}
