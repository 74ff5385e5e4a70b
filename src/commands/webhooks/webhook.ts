import { compareText } from '../../../contract/foldText.ts'
import { count } from '../../../contract/format.ts'
import { wordOf } from '../../../contract/nounOf.ts'
import { webhookFields } from '../../../contract/webhookFields.ts'
import { webhookNouns } from '../../../contract/webhookNouns.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { asksOf, editAsksOf } from '../fieldAsks.ts'
import type { Option, Subject } from '../subject.ts'
import { lockOf } from '../words.ts'

/** The kinds of records that a webhook can follow. */
const nouns = (): readonly Option[] =>
  webhookNouns
    .map((value) => {
      const word = wordOf(value, true)
      return { value, label: `${word[0]!.toUpperCase()}${word.slice(1)}` }
    })
    .sort((one, other) => compareText(one.label, other.label))

const nounsQuestion = ask.several({ label: 'Notified of', options: nouns })
const limit = ask.option({
  label: 'Limited to',
  options: [
    { value: 'clients', label: 'Chosen clients' },
    { value: 'none', label: 'Everything: all that you see, for ever' },
  ],
})
const clients = ask.entities({ kind: 'client', label: 'Clients', min: 1, when: ({ limit }) => limit === 'clients' })

interface Known {
  nouns?: readonly string[]
  clients?: readonly { id: number }[]
}
const known = (subjects: readonly Subject[]): Known => (subjects[0]?.record ?? {}) as Known
/** A secret, shown once. */
const shownOnce = (title: string, secret: string, reach = '') => ({
  dialog: {
    title,
    body: `Copy the secret now. It’s shown once. ${reach}The receiver verifies each message by it.`,
    copy: secret,
  },
})

/** Webhooks, which report changes to other programs. */
export const webhookCommands = {
  'webhook.open': command({
    title: 'Open webhook',
    on: 'webhook',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('webhook', { id: subject.id }), 'tab'),
  }),
  'webhook.create': command({
    title: 'New webhook…',
    on: 'nothing',
    group: 'add',
    icon: 'plus',
    keywords: 'add hear changes push notify program api',
    undo: 'restores',
    asks: { ...asksOf(webhookFields), nouns: nounsQuestion, limit, clients },
    async run({ api, answers, workspace }) {
      const { data } = await api.write('webhook.create', {
        ...{ name: answers.name, url: answers.url.trim(), nouns: answers.nouns, clients: answers.clients },
      })
      workspace.open(href('webhook', { id: data.id }))
      return shownOnce(`Webhook “${data.name}”`, data.signing_secret, `It gets ${data.reach}. `)
    },
  }),
  'webhook.edit': command({
    title: 'Edit webhook…',
    on: 'webhook',
    icon: 'pencil',
    keywords: 'rename address nouns clients',
    undo: 'restores',
    asks: {
      ...editAsksOf(webhookFields),
      nouns: ask.several({ ...nounsQuestion, prefill: (subjects) => known(subjects).nouns }),
      limit: ask.option({ ...limit, prefill: (subjects) => (known(subjects).clients?.length ? 'clients' : 'none') }),
      clients: ask.entities({ ...clients, prefill: (subjects) => known(subjects).clients?.map(({ id }) => id) }),
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('webhook.edit', {
        ...{ id: subject.id, name: answers.name, url: answers.url.trim(), nouns: answers.nouns },
        ...{ clients: answers.clients ?? [], ...lockOf(subject.record) },
      })
      return { message }
    },
  }),
  'webhook.test': command({
    title: 'Send a test',
    on: 'webhook',
    icon: 'share',
    keywords: 'try ping',
    undo: 'needless',
    async run({ api, subject }) {
      const { message } = await api.write('webhook.test', { id: subject.id })
      return { message }
    },
  }),
  'webhook.pause': command({
    title: 'Pause webhook',
    on: 'webhook',
    icon: 'pause',
    undo: 'restores',
    async run({ api, subject }) {
      const { message } = await api.write('webhook.pause', { id: subject.id })
      return { message }
    },
  }),
  'webhook.resume': command({
    title: 'Resume webhook',
    on: 'webhook',
    icon: 'play',
    keywords: 'enable go on',
    undo: 'restores',
    async run({ api, subject }) {
      const { message } = await api.write('webhook.resume', { id: subject.id })
      return { message }
    },
  }),
  'webhook.rotate': command({
    title: 'New secret…',
    on: 'webhook',
    icon: 'key',
    keywords: 'rotate signature exchange',
    irreversible: true,
    asks: {
      overlap: ask.option({
        label: 'The old secret',
        options: [
          { value: '24', label: 'signs beside the new one for a day' },
          { value: '168', label: 'signs beside the new one for a week' },
          { value: '0', label: 'ends at once', detail: 'as it is known to somebody else' },
        ],
      }),
    },
    review: ([subject], { overlap }) => ({
      title: `Make a new secret for “${subject!.name}”?`,
      body:
        overlap === '0'
          ? 'The receiver refuses every message until it has the new secret.'
          : 'Until the old secret ends, every message carries both signatures.',
      action: 'New secret',
    }),
    async run({ api, subject, answers }) {
      const { data } = await api.write('webhook.rotate', { id: subject.id, overlap_hours: Number(answers.overlap) })
      return shownOnce(`New secret of “${data.name}”`, data.signing_secret)
    },
  }),
  'webhook.replayFailed': command({
    title: 'Send again what failed',
    on: 'webhook',
    icon: 'repeat',
    keywords: 'replay retry messages',
    irreversible: true,
    review: ([subject]) => {
      const failed = Number(subject!.record?.failed_count ?? 0)
      return {
        title: `Send ${failed === 1 ? 'a message' : failed ? `${count(failed)} messages` : 'what failed'} again?`,
        body: 'Each keeps the id it had, and carries its record as it is now.',
        action: 'Send again',
      }
    },
    async run({ api, subject }) {
      const { message } = await api.write('webhook.replayFailed', { id: subject.id })
      return { message }
    },
  }),
  'webhook.remove': command({
    title: 'Delete webhook',
    on: 'webhook',
    icon: 'trash',
    danger: true,
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete “${subjects[0]!.name}”?`,
      body: 'Queued messages aren’t sent.',
      action: 'Delete',
    }),
    async run({ api, subject, workspace }) {
      const { message } = await api.write('webhook.remove', { id: subject.id })
      workspace.open(href('webhooks'))
      return { message }
    },
  }),
  'delivery.replay': command({
    title: 'Send again',
    on: 'delivery',
    icon: 'repeat',
    keywords: 'replay retry',
    undo: 'needless',
    async run({ api, subject }) {
      const { message } = await api.write('delivery.replay', { id: subject.id })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof webhookCommands> {}
}
