import { href } from '../../routing/routes.ts'
import { command } from '../command.ts'
import { recordOf, type Subject } from '../subject.ts'
import { listed } from '../words.ts'

const isUnread = (subject: Subject) => recordOf(subject, 'notice').status === 'unread'
/** Returns the screen that a notification opens: its record, the map or all projects. */
function screenOf(subject: Subject): string {
  const { message_action, kind, subject_id } = recordOf(subject, 'notice')
  if (message_action !== 'record') return href(message_action === 'map' ? 'visitation' : 'allProjects')
  const id = Number(subject_id)
  if (kind === 'job') return href('jobs')
  return kind === 'campaign' ? href('surveyProject', { id }, { tab: 'overview' }) : href('project', { id }, { tab: 'overview' })
}

/** The user's own inbox (screens-people-places-rewards.md, Inbox). */
export const noticeCommands = {
  'notice.open': command({
    title: 'Open notification',
    detail: 'follows it and marks it read',
    on: 'notice',
    keywords: 'follow link go',
    icon: 'link',
    undo: 'restores',
    async run({ api, subject, workspace }) {
      // Opens at once, because browsers block a tab that opens later.
      if (recordOf(subject, 'notice').message_action === 'web')
        open(String(recordOf(subject, 'notice').url), '_blank', 'noopener,noreferrer')
      else workspace.open(screenOf(subject))
      if (isUnread(subject) && !workspace.me.acting) await api.write('notice.mark', { ids: [subject.id] })
    },
  }),
  'notice.read': command({
    title: 'Read here',
    on: 'notice',
    keywords: 'mark read seen',
    icon: 'check',
    undo: 'restores',
    async run({ api, subject }) {
      if (isUnread(subject)) await api.write('notice.mark', { ids: [subject.id] })
    },
  }),
  'notice.toggleRead': command({
    title: 'Mark read or unread',
    titleNow: (_workspace, subjects) => (subjects.some(isUnread) ? 'Mark read' : 'Mark unread'),
    on: 'notice',
    many: true,
    keywords: 'seen unseen again',
    icon: 'check',
    undo: 'restores',
    undoName: (subjects) => `Mark ${listed(subjects)} ${subjects.some(isUnread) ? 'read' : 'unread'}`,
    review: (subjects) => ({
      title: `Mark ${listed(subjects)} ${subjects.some(isUnread) ? 'read' : 'unread'}?`,
      body: '',
      action: subjects.some(isUnread) ? 'Mark read' : 'Mark unread',
    }),
    async run({ api, subjects }) {
      const read = subjects.some(isUnread)
      const { message } = await api.write('notice.mark', { ids: subjects.map(({ id }) => id), read })
      return { message }
    },
  }),
  'notice.readAll': command({
    title: 'Mark all notifications read',
    on: 'nothing',
    keywords: 'inbox everything seen clear',
    icon: 'check',
    undo: 'restores',
    async run({ api }) {
      const { message } = await api.write('notice.mark', { all: true })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof noticeCommands> {}
}
