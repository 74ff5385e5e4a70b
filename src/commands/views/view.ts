import type { Output } from '../../../contract/calls.ts'
import { viewFields } from '../../../contract/savedFields.ts'
import type { Share } from '../../../contract/view.ts'
import { href, type RouteId, rowOf } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { copyText } from '../copying.ts'
import { asksOf } from '../fieldAsks.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import type { ListViews, WorkspaceApi } from '../workspaceApi.ts'

const NO_LIST = 'there is no list here that has views'
const views = (workspace: WorkspaceApi): ListViews | null => workspace.list()?.views ?? null
const withList = (workspace: WorkspaceApi) => (views(workspace) ? null : NO_LIST)

/** Returns a view's link with its screen's readable state; null if the screen needs a record that isn't open. */
export function pathOfView(view: Subject, workspace: WorkspaceApi): string | null {
  const { screen = '', query } = recordOf(view, 'view')
  const here = views(workspace)
  const after = query ? `?${query}` : ''
  if (here?.screen === screen) return here.path + after
  const [id = '', tab] = screen.split('.')
  const row = (rowOf as (id: string) => ReturnType<typeof rowOf> | undefined)(id)
  if (!row || /\{/.test(row.path)) return null
  const path = (href as unknown as (id: RouteId, params: object, options: object) => string)(
    id as RouteId,
    {},
    tab ? { tab } : {},
  )
  return path + after
}

const shareOptions = (subjects: readonly Subject[]): readonly Option[] => {
  const { everyone, mine, owner_name } = recordOf(subjects[0], 'view')
  return [
    { value: 'own', label: mine === false ? `Only ${owner_name}` : 'Only me' },
    { value: 'colleagues', label: 'Colleagues', detail: everyone ? 'all administrators' : 'everyone at the same client' },
    ...(everyone ? [{ value: 'everyone', label: 'Everyone', detail: 'including client users who can see the screen' }] : []),
  ]
}

/** Saved views of lists, private or shared (workspace.md, Lists). */
export const viewCommands = {
  'view.save': command({
    title: 'Save this view…',
    undo: 'restores',
    on: 'nothing',
    group: 'list',
    icon: 'bookmark',
    keywords: 'keep bookmark filter search sort',
    disabledReason: withList,
    asks: asksOf(viewFields),
    async run({ api, workspace, answers }) {
      const { screen, state, show } = views(workspace)!
      const { data, message } = await api.write('view.create', { screen, name: answers.name, query: state })
      show(state, data.id)
      return { message: message }
    },
  }),
  'view.open': command({
    title: 'Open a view…',
    on: 'nothing',
    group: 'list',
    icon: 'bookmark',
    keywords: 'saved switch bookmark',
    disabledReason: (workspace) =>
      withList(workspace) ?? (views(workspace)!.all.length ? null : 'this list has no saved views yet'),
    asks: {
      view: ask.entity({
        label: 'View',
        kind: 'view',
        among: async (_api, _subjects, workspace) =>
          (views(workspace)?.all ?? []).map((view) => {
            const { mine, owner_name = '' } = recordOf(view, 'view')
            return { value: String(view.id), label: view.name, detail: mine ? '' : owner_name }
          }),
      }),
    },
    run({ workspace, answers }) {
      const view = views(workspace)?.all.find((one) => one.id === answers.view)
      if (view) views(workspace)!.show(recordOf(view, 'view').query ?? '', view.id)
    },
  }),
  'view.back': command({
    title: 'Reset to the saved view',
    on: 'nothing',
    group: 'list',
    icon: 'undo',
    keywords: 'saved reset discard',
    disabledReason: (workspace) =>
      withList(workspace) ??
      (!views(workspace)!.current
        ? 'no saved view is open'
        : views(workspace)!.changed
          ? null
          : 'nothing changed since it was saved'),
    run({ workspace }) {
      const { current, show } = views(workspace)!
      show(recordOf(current, 'view').query ?? '', current!.id)
    },
  }),
  'view.update': command({
    title: 'Update this view',
    undo: 'restores',
    detail: 'saves what the list shows now',
    on: 'view',
    rule: 'view.edit',
    icon: 'check',
    keywords: 'save overwrite',
    disabledReason: (_desk, [view]) =>
      !view || recordOf(view, 'view').now === undefined
        ? 'open the view in its list first'
        : recordOf(view, 'view').now === recordOf(view, 'view').query
          ? 'nothing changed since it was saved'
          : null,
    async run({ api, subject }) {
      const { now, lock_version } = recordOf(subject, 'view')
      const { message } = await api.write('view.edit', { id: subject.id, query: now!, lock_version })
      return { message: message }
    },
  }),
  'view.rename': command({
    title: 'Rename view…',
    undo: 'restores',
    on: 'view',
    rule: 'view.edit',
    icon: 'pencil',
    asks: asksOf(viewFields, 'edit'),
    async run({ api, subject, answers }) {
      const { message } = await api.write('view.edit', {
        id: subject.id,
        name: answers.name,
        lock_version: recordOf(subject, 'view').lock_version,
      })
      return { message: message }
    },
  }),
  'view.share': command({
    title: 'Share view…',
    undo: 'restores',
    detail: 'or make it private',
    on: 'view',
    rule: 'view.edit',
    icon: 'share',
    keywords: 'unshare private colleagues everyone',
    asks: { shared: ask.option({ label: 'Who can see it', options: shareOptions }) },
    async run({ api, subject, answers }) {
      const { message } = await api.write('view.edit', { id: subject.id, shared: answers.shared as Share })
      return { message }
    },
  }),
  'view.copyLink': command({
    title: 'Copy link to the view',
    on: 'view',
    rule: null,
    icon: 'link',
    copies: true,
    keywords: 'url address',
    disabledReason: (workspace, [view]) => (view?.record && !pathOfView(view, workspace) ? 'open the view’s record first' : null),
    async run({ workspace, subject }) {
      const link = location.origin + pathOfView(subject, workspace)
      return copyText(link, `Copied: ${link}`, `Link to the view “${subject.name}”`)
    },
  }),
  'view.remove': command({
    title: 'Delete view',
    undo: 'restores',
    on: 'view',
    icon: 'trash',
    danger: true,
    confirm: ([view]) => ({
      title: `Delete the view “${view!.name}”?`,
      body:
        recordOf(view, 'view').shared === 'own'
          ? 'It’s private: nobody else sees it.'
          : 'Everyone it’s shared with loses it too.',
      action: 'Delete',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('view.remove', { id: subject.id })
      return { message: message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof viewCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    view: Output<'view.list'>['data'][number] & { everyone: boolean; now: string }
  }
}
