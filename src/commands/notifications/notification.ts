import { pick } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { notificationFields } from '../../../contract/notificationFields.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { command } from '../command.ts'
import { answered, asksOf } from '../fieldAsks.ts'
import { activeNotifications } from '../notificationController.ts'
import { restoreOf } from '../restoring.ts'
import { recordOf, type Subject } from '../subject.ts'
import { either, listed, noticeOf } from '../words.ts'

const newFields = pick(notificationFields, 'name', 'message', 'message_action', 'url')

const people = (many: number) => `${count(many)} ${many === 1 ? 'person' : 'people'}`
const undoWindow = () => `You can undo it for ${outsideSeconds()} seconds.`
const sent = (subjects: readonly Subject[]) =>
  subjects.filter((subject) => recordOf(subject, 'notification').status === 'sent').length

/** Messages from administrators to everyone with an account (screens-people-places-rewards.md, Notifications). */
export const notificationCommands = {
  'notification.create': command({
    title: 'New notification…',
    detail: 'a draft to everyone with an account',
    on: 'nothing',
    group: 'add',
    keywords: 'add write message announce tell',
    icon: 'plus',
    undo: 'restores',
    asks: asksOf(newFields),
    async run({ api, answers, workspace }) {
      const { data } = await api.write('notification.create', answered(newFields, answers))
      workspace.open(href('notifications', {}, { query: { open: data.id } }))
      return { message: noticeOf('notification.create', { name: data.name, noun: 'notification' }) }
    },
  }),
  'notification.edit': command({
    title: 'Edit notification',
    on: 'notification',
    keywords: 'change name message action link custom',
    icon: 'pencil',
    undo: 'needless',
    run({ workspace, subject }) {
      const list = activeNotifications()
      if (list) list.edit(subject.id)
      else workspace.open(href('notifications', {}, { query: { edit: subject.id } }), 'tab')
    },
  }),
  'notification.send': command({
    title: 'Send to everyone…',
    on: 'notification',
    keywords: 'all push email inbox publish',
    icon: 'mail',
    undo: 'restores',
    undoName: (subjects) => `Send ${listed(subjects)}`,
    confirm: ([notification]) => ({
      title: `Send ${listed([notification!])} to everyone?`,
      body: undoWindow(),
      action: 'Send',
    }),
    async foresees({ api, subjects, signal }) {
      const { audience, by_mail } = (await api.dryRun('notification.send', { id: subjects[0]!.id }, signal)).data
      const mailed = by_mail ? `${count(by_mail)} also ${by_mail === 1 ? 'gets' : 'get'} it by email. ` : ''
      return { title: `Send ${listed(subjects)} to ${people(audience)}?`, body: `${mailed}${undoWindow()}` }
    },
    async run({ api, subject }) {
      const { message } = await api.write('notification.send', { id: subject.id, delay_seconds: outsideSeconds() })
      return { message, undoUntil: Date.now() + outsideSeconds() * 1000 }
    },
  }),
  'notification.copy': command({
    title: 'Copy as new',
    on: 'notification',
    keywords: 'duplicate again clone draft',
    icon: 'copy',
    undo: 'restores',
    async run({ api, subject, workspace }) {
      const { data: from } = await api.read('notification.get', { id: subject.id })
      const { name, message, message_action, url, custom } = from
      const { data } = await api.write('notification.create', { name, message, message_action, url, custom })
      const list = activeNotifications()
      if (list) list.edit(data.id)
      else workspace.open(href('notifications', {}, { query: { edit: data.id } }))
      return { message: noticeOf('notification.copy', { name: data.name, rest: ' as a draft' }) }
    },
  }),
  'notification.editField': bulkEditOf('notification', notificationFields),
  'notification.remove': command({
    title: 'Delete notification',
    on: 'notification',
    many: true,
    danger: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: sent(subjects)
        ? `${subjects.length === 1 ? 'It leaves' : `${count(sent(subjects))} of them leave`} every inbox.`
        : `${either(subjects, 'It was', 'They were')} never sent.`,
      action: 'Delete',
    }),
    each: {
      done: 'notification.remove',
      one: ({ api, subject, signal }) => api.write('notification.remove', { id: subject.id }, { signal }),
    },
  }),
  'notification.restore': restoreOf('notification'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof notificationCommands> {}
}
