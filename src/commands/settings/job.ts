import { showTime } from '../../../contract/format.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { either, listed } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'

const NONE_READY = 'None of your exports is ready.'

/** Reads the caller's jobs that created a file, latest first. */
async function filesDone(api: Api) {
  const { data } = await api.read('job.list', { status: 'done', mine: true, per_page: 50 })
  return data.filter(({ download }) => download).sort((a, b) => (a.ended_at! < b.ended_at! ? 1 : -1))
}

async function fetched(api: Api, workspace: WorkspaceApi, id: number) {
  const { data: link } = await api.write('job.link', { id })
  workspace.files.fetched(id)
  location.assign(link.url)
  return { note: `Downloading ${link.name}` }
}

/** Jobs and emails. */
export const jobCommands = {
  'job.link': command({
    title: 'Download',
    on: 'job',
    icon: 'download',
    keywords: 'file result save csv',
    undo: 'needless',
    async run({ api, subject, workspace }) {
      const { data } = await api.write('job.link', { id: subject.id })
      workspace.files.fetched(subject.id)
      location.assign(data.url)
    },
  }),
  'job.fetchReady': command({
    title: 'Download the finished export',
    detail: 'the newest that you haven’t downloaded',
    titleNow: (workspace) => {
      const ready = workspace.files.ready()
      return ready && `Download “${ready.name}”`
    },
    on: 'nothing',
    group: 'workspace',
    icon: 'download',
    keywords: 'fetch file report result',
    undo: 'needless',
    async run({ api, workspace }) {
      const done = await filesDone(api)
      const next = done.find(({ id }) => !workspace.files.isFetched(id))
      if (next) return fetched(api, workspace, next.id)
      return { note: done.length ? 'You have downloaded all of your exports.' : NONE_READY }
    },
  }),
  'job.fetchLatest': command({
    title: 'Download my latest file',
    detail: 'of the last export, downloaded or not',
    on: 'nothing',
    group: 'workspace',
    icon: 'download',
    keywords: 'export report ready result',
    undo: 'needless',
    async run({ api, workspace }) {
      const [latest] = await filesDone(api)
      return latest ? fetched(api, workspace, latest.id) : { note: NONE_READY }
    },
  }),
  'job.retry': command({
    title: 'Retry',
    on: 'job',
    many: true,
    icon: 'repeat',
    keywords: 'again restart failed cancelled',
    // A retry leaves nothing to restore, and payments can't be retried this way.
    undo: 'needless',
    review: (subjects) => ({
      title: `Retry ${listed(subjects)}?`,
      body: either(subjects, 'It runs with the same settings.', 'Each runs with the same settings.'),
      action: 'Retry',
    }),
    each: {
      done: 'job.retry',
      one: ({ api, subject, signal }) => api.write('job.retry', { id: subject.id }, { signal }),
    },
  }),
  'job.cancel': command({
    title: 'Cancel job',
    on: 'job',
    many: true,
    icon: 'x',
    danger: true,
    keywords: 'stop',
    confirm: (subjects) => ({
      title: `Cancel ${listed(subjects)}?`,
      body: 'Progress so far is discarded. Payments that haven’t started go back to pending.',
      action: either(subjects, 'Cancel job', 'Cancel jobs'),
    }),
    irreversible: true,
    each: {
      done: 'job.cancel',
      one: ({ api, subject, signal }) => api.write('job.cancel', { id: subject.id }, { signal }),
    },
  }),
  'outbox.goTo': command({
    title: 'Go to email…',
    detail: 'by address or subject, of the newest 500',
    on: 'nothing',
    group: 'workspace',
    keywords: 'find open email outbox letter message',
    icon: 'mail',
    undo: 'needless',
    asks: {
      mail: ask.entity({
        kind: 'mail',
        label: 'Email',
        among: async (api) => {
          const { data } = await api.read('outbox.list', { per_page: 500 })
          return data.map((one) => ({
            value: String(one.id),
            label: one.subject,
            detail: `${one.to_address} · ${showTime(new Date(one.created_at), 'day')}`,
          }))
        },
      }),
    },
    // The link names the row, so that it is found on any page and in any status.
    run: ({ workspace, answers: { mail } }) => workspace.open(href('outbox', {}, { query: { entry: mail } }), 'tab'),
  }),
  'outbox.retry': command({
    title: 'Send again',
    on: 'mail',
    many: true,
    icon: 'mail',
    keywords: 'retry email',
    delay: true,
    review: (subjects) => ({ title: `Send ${listed(subjects)} again?`, body: '', action: 'Send' }),
    each: {
      done: 'outbox.retry',
      one: ({ api, subject, signal }) => api.write('outbox.retry', { id: subject.id }, { signal }),
    },
  }),
  'outbox.reveal': command({
    title: 'Show link',
    on: 'mail',
    icon: 'key',
    keywords: 'reveal password token copy secret',
    undo: 'needless',
    async run({ api, subject, workspace }) {
      const { data } = await api.write('outbox.reveal', { id: subject.id })
      workspace.reveal(data)
    },
  }),
  'outbox.withdraw': command({
    title: 'Cancel sending',
    on: 'mail',
    many: true,
    icon: 'undo',
    keywords: 'withdraw stop email',
    undo: 'restores',
    review: (subjects) => ({
      title: `Cancel sending ${listed(subjects)}?`,
      body: either(subjects, 'It stays here, unsent.', 'Those that haven’t been sent stay here.'),
      action: 'Cancel sending',
    }),
    each: {
      done: 'outbox.withdraw',
      one: ({ api, subject, signal }) => api.write('outbox.withdraw', { id: subject.id }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof jobCommands> {}
}
