import { participant } from '../../../contract/contentWords.ts'
import { personOf } from '../../domain/content/readAct.ts'
import { fieldClock } from '../calendar.ts'
import { FILM, PHOTOS, SHARED_CONTENTS } from '../fixtures.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { slug } from '../people.ts'
import { fieldDays, type ProjectPlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { rowOf } from '../rowDefaults.ts'
import { type SentPlan, sentBy, sentOf } from '../sent.ts'
import { CAPTIONS, COMMENTS } from '../sentWords.ts'
import { FIRST_NAMES, LAST_NAMES } from '../studies.ts'

/** The amount covers all items, of which just under half are photos (sent.ts). */
export const content = demoNoun({
  tables: ['user_activities'],
  after: ['activity', 'file', 'user'],
  first: 50_001,
  amount: { test: 127, demo: 12_740, mid: 106_000, large: 424_000 },
  example: (nth) => ({ person: personOf(`somebody-${nth}@example.com`), comment: `Comment ${nth}`, action: 'comment' as const }),
})

/** Files of items have ids beyond those of all projects' own files. */
const FILES_FROM = 5_000_000
const REASONS = ['Blurred', 'Off topic', 'Duplicate', 'Person recognisable'] as const
const MAILS = ['example.com', 'example.net', 'example.org']
const HOUR = 3_600_000

type Files = ReturnType<typeof rowOf<'files'>>
type Acts = ReturnType<typeof rowOf<'user_activities'>>

/** The acts of an activity's participants, oldest first. */
function actsOf(random: Random, market: Market, plan: ProjectPlan, sent: SentPlan): { files: Files[]; acts: Acts[] } {
  const { calendar, people } = market
  const clock = fieldClock(calendar, plan.start, fieldDays(plan))
  const running = plan.status === 'active' || plan.status === 'paused'
  const { markets } = market.audienceOf(plan, sent.activity)
  const admin = random.pick(people.admins)
  const actions = (['photo', 'video', 'comment', 'social'] as const).flatMap((action) =>
    Array<typeof action>(sent[`${action}s`]).fill(action),
  )
  const moments = actions.map(() => clock(random)).sort((a, b) => a - b)
  const files: Files[] = []
  const known: string[] = []
  const acts = random.shuffle(actions).map((action, nth): Acts => {
    const id = sent.first + nth
    const made = moments[nth]!
    const at = new Date(made).toISOString()
    const email = known.length && random.chance(0.08) ? random.pick(known) : mailOf(random, id)
    known.push(email)
    const file_id = action === 'photo' || action === 'video' ? FILES_FROM + id : null
    if (file_id)
      files.push(fileOf(random, { id: file_id, at, action: action as 'photo' | 'video', plan, activity: sent.activity.id }))
    const review = random.chance(running ? 0.2 : 0) ? 'open' : random.chance(0.03) ? 'rejected' : 'accepted'
    const reviewed = Math.min(calendar.now.getTime(), made + random.int(1, 72) * HOUR)
    const contact = { email: `${slug(random.pick(FIRST_NAMES))}@example.com`, phone: `(512) 555-0${random.int(100, 199)}` }
    const comment =
      action === 'comment'
        ? random
            .pick(COMMENTS)
            .replaceAll('{product}', plan.product)
            .replace('{email}', contact.email)
            .replace('{phone}', contact.phone)
        : file_id && random.chance(0.12)
          ? random.pick(CAPTIONS)
          : ''
    const person = personOf(email)
    return rowOf('user_activities', at, {
      id,
      activity_id: sent.activity.id,
      project_id: plan.id,
      person,
      email,
      action,
      file_id,
      comment,
      url: action === 'social' ? `https://social.example/posts/${participant(person).slice(-4).toLowerCase()}${id}` : '',
      dma: markets.length ? random.pick(markets) : null,
      review,
      review_reason: review === 'rejected' ? random.pick(REASONS) : '',
      reviewed_by: review === 'open' ? null : admin,
      reviewed_at: review === 'open' ? null : new Date(reviewed).toISOString(),
      external_id: `demo-${id}`,
    })
  })
  return { files, acts }
}

interface Shot {
  id: number
  at: string
  action: 'photo' | 'video'
  plan: ProjectPlan
  activity: number
}
function fileOf(random: Random, { id, at, action, plan, activity }: Shot): Files {
  const photo = action === 'photo' ? random.pick(PHOTOS) : null
  const { key, content, width, height } = photo ?? FILM
  return rowOf('files', at, {
    id,
    project_id: plan.id,
    activity_id: activity,
    kind: 'media',
    asset_type: action,
    original_name: photo ? `IMG_${random.int(1000, 9999)}.jpg` : `VID_${random.int(1000, 9999)}.mp4`,
    storage_key: key,
    mime: photo ? 'image/jpeg' : 'video/mp4',
    size: content.length,
    ...{ width, height },
    seconds: photo ? null : FILM.seconds,
    thumb_key: photo ? key : '',
    thumb_state: photo ? 'done' : 'none',
  })
}

function mailOf(random: Random, id: number): string {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
  return `${slug(first)}.${slug(last)}${id % 9973}@${random.pick(MAILS)}`
}

export const rows: NounRows<'user_activities' | 'files'> = {
  rows: () => ({ contents: SHARED_CONTENTS }),
  apart: {
    weight: (plan, market) => sentBy(market, plan),
    rows(random, market, plan) {
      const made = (sentOf(market).get(plan.id) ?? []).map((sent) => actsOf(random, market, plan, sent))
      return { files: made.flatMap(({ files }) => files), user_activities: made.flatMap(({ acts }) => acts) }
    },
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly content: typeof content
  }
}
