import { dollars, shortDate } from '../../../contract/format.ts'
import type { Offer } from '../../../contract/offer.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'

const CHANNELS = { facebook: 'Facebook', fulcrum: 'Fulcrum' } as const
const STATUSES = { scheduled: 'Scheduled', running: 'Running', paused: 'Paused', ended: 'Ended' } as const

/** Describes an offer: channel, amount, dates and status. */
const inFull = ({ channel, amount_cents, starts, ends, status }: Offer): string =>
  `${STATUSES[status]} on ${CHANNELS[channel]}. ${dollars(amount_cents)} a respondent, ${ends ? `${shortDate(starts)} to ${shortDate(ends)}` : `from ${shortDate(starts)}, no end`}.`

/** What channels offer a project's respondents; offers are read-only (screens-projects.md, Offers). */
export const offerCommands = {
  'offer.show': command({
    title: 'Show offer',
    on: 'offer',
    rule: null,
    icon: 'panel',
    async run({ api, subject }) {
      const { data } = await api.read('offer.get', { id: subject.id })
      return { dialog: { title: subject.name, body: inFull(data) } }
    },
  }),
  'offer.find': command({
    title: 'Find an offer…',
    detail: 'of this project',
    on: 'project',
    rule: null,
    keywords: 'channel facebook fulcrum amount',
    icon: 'gift',
    asks: {
      offer: ask.entity({
        kind: 'offer',
        label: 'Offer',
        among: async (api, [project]: readonly Subject[]) =>
          (await api.read('offer.list', { id: project!.id, per_page: 500 })).data.map((offer) => ({
            value: String(offer.id),
            label: offer.name,
            detail: `${CHANNELS[offer.channel]}, ${STATUSES[offer.status]}`,
          })),
      }),
    },
    async run({ api, answers }) {
      const { data } = await api.read('offer.get', { id: answers.offer })
      return { dialog: { title: data.name, body: inFull(data) } }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof offerCommands> {}
}
