import { REJECT_REASONS, turned, ZIP_PART } from '../../../contract/contentWords.ts'
import { fileSize } from '../../../contract/format.ts'
import { ask, command, type Result, type RunContext } from '../command.ts'
import { recordOf, type Subject } from '../subject.ts'
import { either, lockOf } from '../words.ts'

type Review = 'open' | 'accepted' | 'rejected'
const jobs = (started: readonly { id: number }[]) => started.map(({ id }) => id)
const ids = (subjects: readonly Subject[]) => subjects.map(({ id }) => id)
/** Formats a count: "14 photos", "1 comment", "3 items". */
function counted(subjects: readonly Subject[]): string {
  const [first] = subjects
  const action = recordOf(first, 'content').action ?? 'item'
  const word = subjects.every((subject) => recordOf(subject, 'content').action === action) ? action : 'item'
  return `${subjects.length} ${word}${subjects.length === 1 ? '' : 's'}`
}

/** Reviews one item with its version check, and several without. */
async function review({ api, subjects, subject }: RunContext<unknown>, to: Review, reason = ''): Promise<Result> {
  if (subjects.length === 1) {
    const input = { id: subject.id, review: to, reason, ...lockOf(subject.record) }
    return { message: (await api.write('content.review', input)).message }
  }
  const { data, message } = await api.write('content.reviewMany', { ids: ids(subjects), review: to, reason })
  const nameOf = new Map(subjects.map(({ id, name }) => [id, name]))
  const refused = data.refused.map(({ id, reason }) => ({ id, name: nameOf.get(id) ?? `U-${id}`, reason }))
  return { message, ...(refused.length ? { refused } : {}) }
}

const onScreen = { on: 'content', rule: null, undo: 'needless' } as const

/** Reviews of submitted content (screens-projects.md, User Content). */
export const contentCommands = {
  'content.preview': command({
    ...onScreen,
    title: 'Preview',
    icon: 'search',
    disabledReason: (workspace) => (workspace.list() ? null : 'there is no list here'),
    run: ({ workspace }) => workspace.list()?.open('glance'),
  }),
  'content.zoomIn': command({
    ...onScreen,
    title: 'Zoom in',
    hidden: true,
    repeats: true,
    run: ({ workspace }) => workspace.list()?.zoom?.(1),
  }),
  'content.zoomOut': command({
    ...onScreen,
    title: 'Zoom out',
    hidden: true,
    repeats: true,
    run: ({ workspace }) => workspace.list()?.zoom?.(-1),
  }),
  'content.showNew': command({
    title: 'Show new items',
    on: 'nothing',
    group: 'list',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.list()?.showNew ? null : 'there are no new items here'),
    run: ({ workspace }) => workspace.list()?.showNew?.(),
  }),
  'content.rotate': command({
    title: 'Rotate',
    detail: '90° to the right',
    on: 'content',
    many: true,
    icon: 'repeat',
    keywords: 'turn orientation',
    undo: 'restores',
    async run({ api, subjects }) {
      return { message: (await api.write('content.rotate', { ids: ids(subjects), by: turned(0) })).message }
    },
  }),
  'content.reject': command({
    title: 'Reject…',
    on: 'content',
    many: true,
    danger: true,
    icon: 'x',
    keywords: 'refuse hide unusable',
    asks: {
      reason: ask.option({ label: 'Reason', options: REJECT_REASONS }),
      other: ask.text({ label: 'Which reason', recalls: true, when: ({ reason }) => reason === 'Other' }),
    },
    confirm: (subjects) => ({
      title: `Reject ${counted(subjects)}?`,
      body: `Clients no longer see ${either(subjects, 'it', 'them')}.`,
      action: 'Reject',
    }),
    undo: 'restores',
    run: (context) => {
      const { reason, other } = context.answers
      return review(context, 'rejected', reason === 'Other' ? (other ?? '') : reason)
    },
  }),
  'content.accept': command({
    title: 'Accept',
    on: 'content',
    many: true,
    icon: 'check',
    keywords: 'approve keep',
    undo: 'restores',
    review: (subjects) => ({
      title: `Accept ${counted(subjects)}?`,
      body: `${either(subjects, 'It counts', 'They count')} as usable.`,
      action: 'Accept',
    }),
    run: (context) => review(context, 'accepted'),
  }),
  'content.restore': command({
    title: 'Reset to new',
    detail: 'neither accepted nor rejected',
    on: 'content',
    many: true,
    icon: 'undo',
    keywords: 'restore unreject open',
    undo: 'restores',
    review: (subjects) => ({
      title: `Reset ${counted(subjects)} to new?`,
      body: `The review of ${either(subjects, 'it', 'them')} is cleared.`,
      action: 'Reset to new',
    }),
    run: (context) => review(context, 'open'),
  }),
  'content.download': command({
    title: 'Download',
    on: 'content',
    many: true,
    icon: 'download',
    keywords: 'save zip captions',
    undo: 'needless',
    review: (subjects) => {
      const size = subjects.reduce((sum, { record }) => sum + Number(record?.size ?? 0), 0)
      const parts = Math.ceil(size / ZIP_PART)
      const split = parts > 1 ? ` It is more than 2 GB, so it comes in about ${parts} files.` : ''
      return {
        title: `Download ${counted(subjects)}?`,
        body: `${fileSize(size)} as a ZIP file with a list of captions.${split}`,
        action: 'Download',
      }
    },
    async run({ api, subjects, subject, workspace }) {
      const file = Number(subject.record?.file_id ?? 0)
      if (subjects.length === 1 && file) {
        const { data } = await api.write('file.link', { id: file })
        location.assign(data.url)
        return
      }
      const id = Number(subject.record?.project_id)
      const { data, message } = await api.write('content.download', { id, ids: ids(subjects) })
      workspace.follow(jobs(data), 'Content ready')
      return { message }
    },
  }),
  'content.downloadAll': command({
    title: 'Download all that match',
    detail: 'a ZIP file with a list of captions, in several above 2 GB',
    on: ['project', 'campaign'],
    rule: null,
    icon: 'download',
    keywords: 'photos videos comments zip save',
    undo: 'needless',
    async run({ api, subject, workspace }) {
      const list = workspace.list()?.exportable
      const { project_id: _, upto: __, column: ___, order: ____, ...filter } = list?.source === 'content' ? list.filter : {}
      const { data, message } = await api.write('content.download', { id: subject.id, ...filter })
      workspace.follow(jobs(data), 'Content ready')
      return { message }
    },
  }),
  'content.add': command({
    title: 'Import content…',
    on: ['project', 'campaign'],
    rule: null,
    icon: 'plus',
    keywords: 'upload photos videos comments csv',
    undo: 'restores',
    asks: {
      activity: ask.entity({
        label: 'Activity',
        kind: 'activity',
        among: async (api, [subject]) => {
          const { data } = await api.read('activity.ofProject', { id: subject!.id, per_page: 500 })
          return data
            .filter(({ activity_type }) => activity_type !== 'survey')
            .map(({ id, name }) => ({ value: String(id), label: name }))
        },
      }),
      files: ask.file({
        label: 'Photos, videos, or a CSV of comments',
        many: true,
        types: ['jpg', 'jpeg', 'png', 'gif', 'mp4', 'mov', 'csv'],
      }),
    },
    confirm: (_subjects, { files }) => ({
      title: `Import ${files?.length === 1 ? `“${files[0]!.name}”` : `${files?.length ?? 0} files`}?`,
      body: 'Clients see it at once. Items imported before count once. You can undo the import, up to 5,000 items.',
      action: 'Import',
    }),
    async run({ api, answers, progress, signal }) {
      const form = new FormData()
      form.append('id', String(answers.activity))
      for (const file of answers.files) form.append('file', file, file.name)
      const { message } = await api.upload('content.import', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof contentCommands> {}
}
