import { allowedActions } from '../../../contract/access.ts'
import type { Output } from '../../../contract/calls.ts'
import type { Content, REVIEWS } from '../../../contract/content.ts'
import { participant, type Section } from '../../../contract/contentWords.ts'
import type { Role } from '../../../contract/vocabulary.ts'

type Review = (typeof REVIEWS)[number]
/** Participants' content in the fake marketplace: the number of items by section, and changes to them. */
export interface FakeContent {
  photos: number
  videos: number
  comments: number
  /** A project with counts of its own; the others have those above. */
  counts: Record<number, Pick<FakeContent, 'photos' | 'videos' | 'comments' | 'changed'>>
  changed: Record<number, Partial<Pick<Content, 'review' | 'review_reason' | 'rotation' | 'lock_version'>>>
  /** True makes lists and their counts fail. */
  broken: boolean
}
/** The filter of a call's list. */
export interface FakeFilter {
  section?: string
  action?: string
  review?: string
  search?: string
  from?: string | undefined
  to?: string | undefined
  column?: string
  order?: string
}

export const SENT: FakeContent = { photos: 0, videos: 0, comments: 0, counts: {}, changed: {}, broken: false }
/** The first id of each section; the newest item has the highest. */
const FIRST = { photos: 100_000, videos: 200_000, comments: 300_000 } as const
const ACTION = { photos: 'photo', videos: 'video', comments: 'comment' } as const
const SECTIONS = Object.keys(FIRST) as Section[]
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAGaZzAAAACwAAAAAAQABAAACAkQBADs='
const NEWEST = Date.parse('2026-03-20T16:00:00Z')

/** The id of a section's item, counted from its newest. */
export const contentId = (content: FakeContent, section: Section, index: number): number =>
  FIRST[section] + content[section] - index

/** An item by its id; the tenth has a failed thumbnail, the eleventh a queued one. */
export function contentItem(content: FakeContent, id: number, role: Role): Content | null {
  const section = SECTIONS.find((one) => id > FIRST[one] && id <= FIRST[one] + content[one])
  if (!section) return null
  const index = FIRST[section] + content[section] - id
  const person = (id * 2654435761).toString(16).padStart(16, '0').slice(-16)
  const changed = content.changed[id] ?? {}
  const action = ACTION[section]
  const rotation = changed.rotation ?? 0
  const state = section === 'videos' ? 'none' : index === 10 ? 'failed' : index === 11 ? 'queued' : 'done'
  const name = `U-${id}.${section === 'videos' ? 'mp4' : 'jpg'}`
  const file = {
    ...{ id: id + 1_000_000, original_name: name, file_type: name.split('.')[1]!, size: 64_000, rotation },
    ...{ mime: section === 'videos' ? 'video/mp4' : 'image/jpeg', width: 1200, height: 900, description: '' },
    ...{ seconds: section === 'videos' ? 18 : null, thumb_state: state, thumbnail: state === 'done' ? PICTURE : '' },
    thumb_fault: state === 'failed' ? 'There is no preview, because it isn’t a picture that can be read.' : '',
    ...{ url: '/file.jpg', preview: PICTURE, lock_version: 1 },
  }
  const facts = {
    action,
    review: changed.review ?? 'open',
    filed: section !== 'comments',
    picture: section === 'photos',
  } as const
  return {
    ...{ id, name: `U-${id}, ${action} of ${participant(person)}`, activity_id: 7, activity: 'Shelf photos', project_id: 530 },
    ...{ person, email: role === 'admin' ? `p${id}@mail.test` : '', action, url: '', dma: null, market: '' },
    comment: section === 'comments' ? `Comment ${index + 1}` : '',
    at: new Date(NEWEST - index * 60_000).toISOString(),
    ...{ review: 'open', review_reason: '', reviewed_by_name: '', reviewed_at: null, repeats: 1, external_id: '' },
    file: section === 'comments' ? null : file,
    file_id: section === 'comments' ? null : file.id,
    ...{ rotation, size: section === 'comments' ? 0 : file.size, lock_version: 1 },
    ...changed,
    ...(allowedActions('content', { id: 1, role, admin_id: null }, facts) as Pick<
      Content,
      'allowed_actions' | 'refused_actions'
    >),
  }
}

/** The ids of a list in its order, newest first. */
export function contentIds(content: FakeContent, filter: FakeFilter): number[] {
  const { section = 'all', review = 'all', search = '', from = '', to = '~' } = filter
  const ids = SECTIONS.filter((one) => section === 'all' || one === section).flatMap((one) =>
    Array.from({ length: content[one] }, (_, index) => contentId(content, one, index)),
  )
  if (review === 'all' && !search && !from && to === '~') return ids
  return ids.filter((id) => {
    const item = contentItem(content, id, 'admin')!
    const day = item.at.slice(0, 10)
    return (
      (review === 'all' || item.review === review) &&
      JSON.stringify([item.comment, item.person]).toLowerCase().includes(search.toLowerCase()) &&
      day >= from &&
      day <= to
    )
  })
}

/** The counts of User Content's sections. */
export function contentSummary(content: Omit<FakeContent, 'counts' | 'broken'>): Output<'content.summary'>['data'] {
  const of = (section: Section) => {
    const counts = { all: content[section], open: content[section], accepted: 0, rejected: 0 }
    for (const [id, { review = 'open' as Review }] of Object.entries(content.changed)) {
      if (Number(id) <= FIRST[section] || Number(id) > FIRST[section] + content[section]) continue
      counts.open--
      counts[review]++
    }
    return counts
  }
  const count = content.photos + content.videos + content.comments
  return {
    ...{ photos: of('photos'), videos: of('videos'), comments: of('comments'), assets: 0, newest: 400_000 },
    activities: count ? [{ id: 7, name: 'Shelf photos', count }] : [],
  }
}
