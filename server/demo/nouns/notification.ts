import type { Insertable } from 'kysely'
import { addDays } from '../../../contract/pacing.ts'
import type { NoticeTable, NotificationTable } from '../../db/schema.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { rowOf } from '../rowDefaults.ts'

/** Notifications, three in four of them sent; the demo logins have three and two unread ones. */
export const notification = demoNoun({
  tables: ['notifications', 'notices'],
  after: ['user'],
  first: 7001,
  amount: { test: 4, demo: 24, mid: 60, large: 120 },
  example: (nth) => ({ name: `Notification ${nth}`, message: 'The office is closed on Friday.' }),
})

type Sample = readonly [name: string, message: string, action: NotificationTable['message_action'], url?: string]
const SAMPLES: readonly Sample[] = [
  [
    'Holiday hours',
    'Fieldwork is closed on Thursday and Friday for the holiday.\nQuotes that are due then are answered on Monday. Projects in field run on, and support reads urgent email once a day.',
    'feed',
  ],
  [
    'Planned maintenance on Sunday',
    'The portal is read only on Sunday from 2 to 4 AM Eastern while we move to larger databases. Responses that arrive meanwhile are kept and counted afterwards.',
    'web',
    'https://status.fieldwork.example/maintenance',
  ],
  [
    'New: crosstabs in User Responses',
    'Choose a second question with B Q and read one by the other, with the base of every column.',
    'feed',
  ],
  [
    'Incidence guide for low-incidence studies',
    'What to expect below 10 % incidence, how to word a screener, and what partners need from you to price it well.',
    'web',
    'https://guides.fieldwork.example/low-incidence',
  ],
  ['Visits of market areas are up to date', 'Visits up to yesterday are in. The map shows all 210 market areas again.', 'map'],
  [
    'Reward payouts resume',
    'Gift cards that waited since Tuesday were sent this morning. Nobody was paid twice; the Reward Center shows each one.',
    'feed',
  ],
  [
    'Two-step sign-in is coming',
    'From next month administrators confirm a sign-in on a second device. Nothing changes for client users yet.',
    'web',
    'https://help.fieldwork.example/two-step',
  ],
  [
    'Quotes are valid for 21 days',
    'New quotes can be approved for 21 days, a week longer than before. Quotes that you have keep their date.',
    'feed',
  ],
  ['Brand visits by day', 'The map of visits can be filtered by day of the week, and a filter can be saved.', 'map'],
  [
    'Help us improve reports',
    'Six questions on what your client reports lack. It takes three minutes.',
    'web',
    'https://survey.fieldwork.example/reports',
  ],
  ['Exports as Excel', 'Every list now also exports as an Excel file: type “Excel” in the palette.', 'feed'],
  ['Welcome to Fieldwork', 'Press Ctrl+K to find projects, people and everything you can do. ? shows the keys.', 'feed'],
]

/** The last ones of the demo: drafts, one of which was sent and withdrawn. */
const DRAFTS: readonly Sample[] = [
  ['Year-end schedule', 'The last day to launch a project that ends this year is December 12.', 'feed'],
  [
    'Panel refresh in the Midwest',
    'Partners added 40,000 panelists in Ohio, Indiana and Michigan. Quotas of 18–24 fill faster there.',
    'map',
  ],
  [
    'Price list of next quarter',
    'Costs per interview change for studies longer than 20 minutes. The list has all of them.',
    'web',
    'https://fieldwork.example/prices',
  ],
  ['Call for beta testers', 'We look for five teams to try segments of open answers.', 'feed'],
  [
    'Security review finished',
    'An outside firm tested the portal for two weeks. The summary names what was found and mended.',
    'web',
    'https://fieldwork.example/security',
  ],
  ['Office move', 'Our phones are off on Monday morning. Support answers email as usual.', 'feed'],
]

export const rows: NounRows<'notifications' | 'notices'> = {
  rows(random, { amounts, calendar, people }) {
    const amount = amounts.notification
    const sentCount = Math.floor(amount * 0.75)
    const accounts = people.users.filter((user) => user.status === 'active')
    const [admin] = people.admins
    const client = people.usersOf[0]![0]
    const made: Insertable<NotificationTable>[] = []
    const notices: NoticeTable[] = []
    const sample = (sample: Sample, nth: number, day: string, number: string) => {
      const [name, message, message_action, url = ''] = sample
      return rowOf('notifications', calendar.office(random, day), {
        id: amounts.first.notification + nth,
        name: `${name}${number}`,
        message,
        message_action,
        url,
        custom: message_action === 'map' ? '{"layer":"visits"}' : '',
      })
    }
    for (let nth = 0; nth < sentCount; nth++) {
      // The latest is two days old, the first a year; a repeated word gets its year.
      const age = 2 + Math.round((350 * (sentCount - 1 - nth)) / Math.max(1, sentCount))
      const again = Math.floor((sentCount - 1 - nth) / SAMPLES.length)
      const day = addDays(calendar.today, -age)
      const row = sample(SAMPLES[(sentCount - 1 - nth) % SAMPLES.length]!, nth, day, again ? ` (${again + 1})` : '')
      const sent = new Date(Date.parse(row.created_at) + random.int(5, 50) * 60_000).toISOString()
      const those = accounts.filter((user) => user.created_at < sent)
      for (const user of those)
        notices.push({ notification_id: row.id!, user_id: user.id!, read_at: readAt(user.id!, nth, sent), created_at: sent })
      made.push({
        ...row,
        sent_at: sent,
        sent_by: random.pick(people.admins),
        audience: those.length,
        updated_at: sent,
        lock_version: 3,
      })
    }
    for (let nth = sentCount; nth < amount; nth++) {
      const at = nth - sentCount
      const again = Math.floor(at / DRAFTS.length)
      const row = sample(
        DRAFTS[at % DRAFTS.length]!,
        nth,
        addDays(calendar.today, -random.int(0, 20)),
        again ? ` (${again + 1})` : '',
      )
      made.push(at === 0 ? { ...row, lock_version: 3 } : row)
    }
    return { notifications: made, notices }

    /** Newer ones have fewer readers; the demo logins haven't read the last three and two. */
    function readAt(user: number, nth: number, sent: string): string | null {
      const newest = sentCount - 1 - nth
      const left = user === admin ? 3 : user === client ? 2 : null
      const isRead = left === null ? random.chance(Math.min(0.94, 0.35 + newest * 0.06)) : newest >= left
      const late = Date.parse(sent) + random.int(4, 2600) * 60_000
      return isRead ? new Date(Math.min(late, calendar.now.getTime() - 60_000)).toISOString() : null
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly notification: typeof notification
  }
}
