import { HOME } from '../routing/routes.ts'
import { ask, command, type RunContext } from './command.ts'
import { find } from './listCommands.ts'
import type { Place, Scroll, WorkspaceApi } from './workspaceApi.ts'

const run = (work: (context: RunContext<Record<string, never>>) => unknown) => (context: RunContext<object>) => {
  const result = work(context as RunContext<Record<string, never>>)
  return result instanceof Promise ? result.then(() => undefined) : undefined
}
const layout = (
  title: string,
  work: Parameters<typeof run>[0],
  more: { hidden?: true; keywords?: string; icon?: string; copies?: true } = {},
) => command({ title, on: 'nothing', group: 'workspace', ...more, run: run(work) })
/** Returns the name of the step that Undo or Redo would take. */
const nextOf = (workspace: WorkspaceApi, sign: string, word: string): string | null => {
  const next = workspace.undoList().find(({ value }) => value[0] === sign)
  return next ? word + next.label : null
}
/** Panes without a list scroll with the keys that move through one. */
const scroll = (title: string, how: Scroll) =>
  command({
    title,
    on: 'nothing',
    group: 'workspace',
    hidden: true,
    repeats: true,
    run: ({ workspace }) => workspace.layout.scroll(how),
    times: (workspace, count) => workspace.layout.scroll(how, count),
  })
const PLACES: Readonly<Record<Place, string>> = { tab: 'Tab', filter: 'Filter', field: 'Field' }
/** Asks which of the pane's tabs, filters or fields to go to. */
const toPlace = (kind: Place, keywords: string) =>
  command({
    title: `Go to ${kind}…`,
    detail: 'of this pane',
    on: 'nothing',
    group: 'workspace',
    keywords,
    undo: 'needless',
    disabledReason: (workspace) => (workspace.places(kind).length ? null : `there is no ${kind} here`),
    asks: {
      [kind]: ask.option({
        label: PLACES[kind],
        named: PLACES[kind],
        options: (_subjects, workspace) => workspace?.places(kind) ?? [],
      }),
    },
    run: ({ workspace, answers }) => workspace.goToPlace(kind, String((answers as Record<string, unknown>)[kind])),
  })
/** Goes to a previously visited screen and record. */
const jump = (title: string, detail: string, by: 1 | -1) =>
  command({
    title,
    detail,
    on: 'nothing',
    group: 'workspace',
    keywords: 'jump history back forward across',
    icon: 'undo',
    run({ workspace }) {
      if (!workspace.layout.jump(by)) workspace.notice(by < 0 ? 'There is no earlier place.' : 'There is no later place.')
    },
  })
/** Opens another record in place of the pane's own. */
const record = (title: string, detail: string, by: 1 | -1) =>
  command({
    title,
    detail,
    on: 'nothing',
    group: 'workspace',
    keywords: 'row list follow on',
    icon: 'rows',
    disabledReason: (workspace) => (workspace.subjects().focused ? null : 'this pane shows no record'),
    run: ({ workspace }) => workspace.layout.record(by),
    times: (workspace, count) => workspace.layout.record(by * count),
  })
const column = (at: 0 | 1 | 2 | 3) =>
  layout(`Go to column ${at + 1}`, ({ workspace }) => workspace.layout.focusColumn(at), { hidden: true })
const paneTab = (at: number) =>
  layout(`Open tab ${at + 1} of this pane`, ({ workspace }) => workspace.layout.paneTab(at), { hidden: true })

/** Commands of the workspace: columns, tabs, focus, links (workspace.md). */
export const workspaceCommands = {
  'palette.open': layout('Search or run a command', ({ workspace }) => workspace.palette(), { hidden: true }),
  'palette.commands': layout('Commands only', ({ workspace }) => workspace.palette({ text: '>' }), { hidden: true }),
  'command.again': layout('Repeat last command', ({ workspace }) => workspace.again(), { keywords: 'again', icon: 'repeat' }),
  'command.history': command({
    title: 'Command history…',
    detail: 'run one again on the same records',
    on: 'nothing',
    group: 'workspace',
    keywords: 'recent rerun repeat past last again',
    icon: 'repeat',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.commandHistory().length ? null : 'no command was run here yet'),
    asks: {
      command: ask.option({
        label: 'Command',
        asksForOne: true,
        options: (_subjects, workspace) => workspace?.commandHistory() ?? [],
      }),
    },
    run: ({ workspace, answers }) => workspace.again(answers.command),
  }),
  'command.undo': command({
    title: 'Undo',
    titleNow: (workspace) => nextOf(workspace, 'u', 'Undo: '),
    on: 'nothing',
    group: 'workspace',
    keywords: 'revert back',
    icon: 'undo',
    run: ({ workspace }) => workspace.undo(),
  }),
  'command.redo': command({
    title: 'Redo',
    titleNow: (workspace) => nextOf(workspace, 'r', ''),
    on: 'nothing',
    group: 'workspace',
    keywords: 'again forward',
    icon: 'repeat',
    run: ({ workspace }) => workspace.redo(),
  }),
  'command.undoList': command({
    title: 'Undo list…',
    detail: 'what can be undone or redone',
    on: 'nothing',
    group: 'workspace',
    keywords: 'history steps revert redo',
    icon: 'undo',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.undoList().length ? null : 'there is nothing to undo'),
    asks: { step: ask.option({ label: 'Step', options: (_subjects, workspace) => workspace?.undoList() ?? [] }) },
    run: ({ workspace, answers }) => workspace.undo(answers.step),
  }),
  'column.split': layout('Split: open this beside', ({ workspace }) => workspace.layout.split(), {
    keywords: 'column new',
    icon: 'columns',
  }),
  'column.first': column(0),
  'column.second': column(1),
  'column.third': column(2),
  'column.fourth': column(3),
  'column.left': layout('Focus left column', ({ workspace }) => workspace.layout.focusNeighbour(-1)),
  'column.right': layout('Focus right column', ({ workspace }) => workspace.layout.focusNeighbour(1)),
  'tab.moveLeft': layout('Move tab to left column', ({ workspace }) => workspace.layout.moveTab(-1)),
  'tab.moveRight': layout('Move tab to right column', ({ workspace }) => workspace.layout.moveTab(1)),
  'tab.previous': layout('Previous tab', ({ workspace }) => workspace.layout.tab(-1)),
  'tab.next': layout('Next tab', ({ workspace }) => workspace.layout.tab(1)),
  'tab.switch': command({
    title: 'Switch to tab…',
    detail: 'any open tab by its name',
    on: 'nothing',
    group: 'workspace',
    keywords: 'open tabs panes list buffers go',
    icon: 'list',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.layout.openTabs().length > 1 ? null : 'only one tab is open'),
    asks: { tab: ask.option({ label: 'Tab', options: (_subjects, workspace) => workspace?.layout.openTabs() ?? [] }) },
    run: ({ workspace, answers }) => workspace.layout.show(answers.tab),
  }),
  'tab.close': layout('Close tab', ({ workspace }) => workspace.layout.close(), { icon: 'x' }),
  'tab.closeOthers': layout('Close all other tabs', ({ workspace }) => workspace.layout.closeOthers()),
  'tab.reopen': layout('Reopen closed tab', ({ workspace }) => workspace.layout.reopen(), { icon: 'undo' }),
  'tab.pin': layout('Keep tab open', ({ workspace }) => workspace.layout.pin(), { keywords: 'pin preview', icon: 'pin' }),
  'pane.back': layout('Back in this pane', ({ workspace }) => workspace.layout.back()),
  'pane.forward': layout('Forward in this pane', ({ workspace }) => workspace.layout.forward()),
  'pane.jumpBack': jump('Previous place', 'where you were before, in any pane', -1),
  'pane.jumpForward': jump('Next place', 'where you went back from', 1),
  'pane.nextRecord': record('Next record', 'of the list it was opened from', 1),
  'pane.previousRecord': record('Previous record', 'of the list it was opened from', -1),
  'pane.down': scroll('Scroll down', 'down'),
  'pane.up': scroll('Scroll up', 'up'),
  'pane.screenDown': scroll('Scroll down a screen', 'screenDown'),
  'pane.screenUp': scroll('Scroll up a screen', 'screenUp'),
  'pane.top': scroll('Scroll to the top', 'top'),
  'pane.bottom': scroll('Scroll to the end', 'bottom'),
  'pane.find': layout('Find in this pane', ({ workspace }) => find(workspace), { keywords: 'search text words page' }),
  'pane.filter': toPlace('filter', 'narrow by'),
  'pane.field': toPlace('field', 'form input jump edit'),
  'pane.tab': toPlace('tab', 'open show jump'),
  'pane.restore': layout('Restore my panes', ({ workspace }) => workspace.layout.restoreMine(), {
    keywords: 'received link layout',
    icon: 'undo',
  }),
  'pane.tab1': paneTab(0),
  'pane.tab2': paneTab(1),
  'pane.tab3': paneTab(2),
  'pane.tab4': paneTab(3),
  'pane.tab5': paneTab(4),
  'pane.tab6': paneTab(5),
  'pane.tab7': paneTab(6),
  'pane.tab8': paneTab(7),
  'pane.tab9': paneTab(8),
  'copy.link': layout('Copy link', async ({ workspace }) => workspace.notice(`Copied: ${await workspace.copy('link')}`), {
    keywords: 'url share address',
    icon: 'link',
    copies: true,
  }),
  'copy.layout': layout(
    'Copy layout link',
    async ({ workspace }) => workspace.notice(`Copied: ${await workspace.copy('layout')}`),
    {
      keywords: 'url share columns',
      icon: 'columns',
      copies: true,
    },
  ),
  'copy.snapshot': layout(
    'Share workspace',
    async ({ workspace }) => workspace.notice(`Copied: ${await workspace.copy('snapshot')}`),
    {
      keywords: 'link tabs short',
      icon: 'share',
      copies: true,
    },
  ),
  'copy.command': layout(
    'Copy command link',
    async ({ workspace }) => workspace.notice(`Copied: ${await workspace.copy('command')}`),
    {
      keywords: 'url last do',
      icon: 'link',
      copies: true,
    },
  ),
  'pane.print': layout('Print this page', ({ workspace }) => workspace.layout.print(), {
    keywords: 'paper pdf',
    icon: 'file',
  }),
  'notices.focus': layout('Go to notices', ({ workspace }) => workspace.show('notices'), {
    keywords: 'toasts messages undo now',
  }),
  'pane.zen': command({
    title: 'Zen: only this pane',
    titleNow: (workspace) => (workspace.layout.isZen() ? 'Leave zen' : null),
    on: 'nothing',
    group: 'workspace',
    keywords: 'maximise full screen focus hide bars columns',
    icon: 'columns',
    run({ workspace }) {
      workspace.layout.zen()
    },
  }),
  'pane.leaveZen': command({
    title: 'Leave zen',
    on: 'nothing',
    group: 'workspace',
    hidden: true,
    run({ workspace }) {
      workspace.layout.zen(false)
    },
  }),
  'sidebar.toggle': layout('Show or hide the sidebar', ({ workspace }) => workspace.toggleSidebar(), { icon: 'sidebar' }),
} as const

/** Appearance, help and signing out. */
export const appearanceCommands = {
  'theme.dark': command({
    title: 'Dark theme',
    on: 'nothing',
    group: 'appearance',
    icon: 'moon',
    run: ({ workspace }) => workspace.setTheme('dark'),
  }),
  'theme.light': command({
    title: 'Light theme',
    on: 'nothing',
    group: 'appearance',
    icon: 'sun',
    run: ({ workspace }) => workspace.setTheme('light'),
  }),
  'theme.system': command({
    title: 'System theme',
    on: 'nothing',
    group: 'appearance',
    icon: 'monitor',
    run: ({ workspace }) => workspace.setTheme('system'),
  }),
  'charts.tables': command({
    title: 'Show charts or tables',
    on: 'nothing',
    group: 'appearance',
    keywords: 'chart figures numbers accessible',
    icon: 'rows',
    run: ({ workspace }) => workspace.toggleTables(),
  }),
  'density.dense': command({
    title: 'Dense rows',
    on: 'nothing',
    group: 'appearance',
    keywords: 'density small tight',
    icon: 'rows',
    run: ({ workspace }) => workspace.setDensity('dense'),
  }),
  'density.compact': command({
    title: 'Compact rows',
    on: 'nothing',
    group: 'appearance',
    keywords: 'density dense',
    icon: 'rows',
    run: ({ workspace }) => workspace.setDensity('compact'),
  }),
  'density.comfortable': command({
    title: 'Comfortable rows',
    on: 'nothing',
    group: 'appearance',
    keywords: 'density spacious',
    icon: 'rows',
    run: ({ workspace }) => workspace.setDensity('comfortable'),
  }),
  'help.keys': command({
    title: 'Keys and commands',
    on: 'nothing',
    group: 'help',
    keywords: 'shortcuts help cheat sheet',
    icon: 'help',
    run: ({ workspace }) => workspace.show('help'),
  }),
  'session.signOut': command({
    title: 'Sign out',
    on: 'nothing',
    group: 'help',
    keywords: 'log out leave',
    icon: 'logout',
    run: ({ workspace }) => workspace.signOut(),
  }),
  'session.switchBack': command({
    title: 'Stop acting as this user',
    on: 'nothing',
    group: 'help',
    keywords: 'switch back exit',
    undo: 'needless',
    icon: 'mask',
    disabledReason: (workspace) => (workspace.me.acting ? null : 'you aren’t acting as anyone'),
    async run({ api }) {
      await api.write('session.switchBack', {})
      location.assign(HOME)
    },
  }),
} as const
