import type { ActionId } from '../../contract/access.ts'
import type { Access } from '../../contract/actor.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Api } from '../data/api.ts'
import type { Option, Subject } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** Seconds before an action reaches people outside, during which it can be undone. */
export const OUTSIDE_SECONDS = 8

interface AskBase {
  label: string
  /** Asks without a default when null or undefined; a prefilled value shows as an editable pill. */
  prefill?: (subjects: readonly Subject[], workspace?: WorkspaceApi, answers?: Readonly<Record<string, unknown>>) => unknown
  /** An earlier question whose answer changes the prefill, and with it this answer. */
  follows?: string
  /** Not asked in turn: its prefill, or nothing, is used unless somebody goes back to it. Dialogs show it. */
  usual?: true
  /** The answer may be empty. */
  optional?: true
  /** Asks only while this returns true for the earlier answers. */
  when?: (answers: Readonly<Record<string, unknown>>, subjects: readonly Subject[]) => boolean
  /** Returns an answer's error message, or null. */
  check?: (value: string, answers: Readonly<Record<string, unknown>>, subjects: readonly Subject[]) => string | null
}
/** Options for these subjects, or the current ones; `workspace` is undefined outside the workspace. */
type Options = readonly Option[] | ((subjects: readonly Subject[], workspace?: WorkspaceApi) => readonly Option[])
/** Reads the choices; `earlier` is the answer to the question that `amongOf` names. */
type Among = (api: Api, subjects: readonly Subject[], workspace: WorkspaceApi, earlier?: unknown) => Promise<Option[]>
interface Kinds {
  entity: AskBase & {
    kind: SubjectKind
    among?: Among
    amongOf?: string
  }
  /** Several records, `min` to `max`; the command's own subjects aren't among the choices. */
  entities: AskBase & {
    kind: SubjectKind | readonly SubjectKind[]
    min?: number
    max?: number
    /** Choices come best first: Space selects one and goes to the next, Enter continues with those selected. */
    bestFirst?: true
    among?: Among
    /** An earlier question whose answer decides the choices: the client whose users they are. */
    amongOf?: string
  }
  option: AskBase & {
    options: Options
    /** Asks with a single choice too, which runs something that must be seen first. */
    asksForOne?: true
    /** The first question's options are rows of the palette too, by this noun: "Filter: Status". */
    named?: string
  }
  several: AskBase & { options: Options }
  text: AskBase & {
    lines?: number
    placeholder?: string
    kind?: 'text' | 'email' | 'url'
    /** Filters typed text: a phone number keeps only digits. */
    keeps?: (text: string) => string
    /** A reason or note: the last ones are offered, per command. */
    recalls?: true
    /** The last question shows what the command is about to do, so its answer runs it without a review. */
    confirms?: true
  }
  number: AskBase & { min?: number; max?: number; unit?: string; money?: true }
  date: AskBase
  file: AskBase & { types: readonly string[]; many?: true }
}
/** A question of a command: a step in the palette, a field in its dialog. */
export type Ask = { [K in keyof Kinds]: Kinds[K] & { type: K } }[keyof Kinds]

/** A mapped type, so the compiler infers the question from its definition, not its position. */
type Typed<K, More> = { [P in keyof More | 'type']: P extends 'type' ? K : P extends keyof More ? More[P] : never }

const asking =
  <K extends keyof Kinds>(type: K) =>
  <const More extends Kinds[K]>(more: More) =>
    ({ ...more, type }) as Typed<K, More>
/** Builds questions by answer type; each keeps whether it is optional. */
export const ask = {
  entity: asking('entity'),
  entities: asking('entities'),
  option: asking('option'),
  several: asking('several'),
  text: asking('text'),
  number: asking('number'),
  date: asking('date'),
  file: asking('file'),
}

/** A question's answer type: id, ids, option value, text, number (money in cents), civil date or files. */
type AnswerOf<A extends Ask> = A extends { type: 'entity' }
  ? number
  : A extends { type: 'entities' }
    ? number[]
    : A extends { type: 'several' }
      ? string[]
      : A extends { type: 'number' }
        ? number
        : A extends { type: 'file' }
          ? File[]
          : string
type Answers<Asks extends Record<string, Ask>> = {
  [K in keyof Asks]: Asks[K] extends { optional: true } | { when: unknown } ? AnswerOf<Asks[K]> | undefined : AnswerOf<Asks[K]>
}

export interface RunContext<A> {
  api: Api
  subjects: readonly Subject[]
  /** The only or first subject; commands `on: 'nothing'` have none. */
  subject: Subject
  answers: A
  /** Opens and closes panes and copies links. */
  workspace: WorkspaceApi
  /** Reports progress; the status line shows it with a Cancel button. */
  progress(done: number, total: number, note?: string): void
  signal: AbortSignal
}

/** The context for one of several records. */
export interface OneContext<A> {
  api: Api
  subject: Subject
  answers: A
  signal: AbortSignal
}

export type DoneWords = readonly [one: string, many: string]

/** Runs record by record: several at a time, with progress, cancellation between records, and refusals by name. */
export interface Each<A> {
  /** "is paused", "are paused": the result for one record, and for several. */
  done: DoneWords | ((answers: A) => DoneWords)
  one(context: OneContext<A>): Promise<unknown>
  /** For a single record, shows the server's own message, as the specification words it. */
  answers?: true
  /** A success dialog in the specification's words, for a single record. */
  dialog?: Result['dialog']
  /** The dialog for a single record where it depends on what comes next; none without one. Must not throw. */
  leads?(context: OneContext<A>): Promise<Result['dialog']>
  /** Seconds in which the result can be undone, while its mails wait; without a limit if undefined. */
  undoFor?(answers: A): number | undefined
  /** What the result adds for a single record, from its answer: skipped parts. */
  adds?(made: unknown): string
  /** Runs after all records, to show the result; `made` is what `one` answered for each that worked. */
  ends?(workspace: WorkspaceApi, made: readonly unknown[]): void
}

/** A command's result: toast message, dialog, undo deadline, and failures among many. */
export interface Result {
  message?: string
  /** A success dialog in the specification's words; `copy` shows below with a Copy button, OK opens `leadsTo`. */
  dialog?:
    | {
        title: string
        body: string
        copy?: string
        onOk?: () => void
        leadsTo?: string
        /** Only for who clicked: who works by keys goes on, and gets the notice. */
        clicked?: true
      }
    | undefined
  /** Can be undone until then (epoch ms), when it reaches people outside. */
  undoUntil?: number | undefined
  /** Records refused among many, listed with a retry. */
  refused?: readonly { id: number; name: string; reason: string }[]
  /** Records not reached because the user cancelled; offered to continue with. */
  rest?: readonly Subject[]
}

/** Subjects as a command needs them, those left out with their reasons, and where somebody has to go first. */
export interface Prepared {
  able: readonly Subject[]
  left: readonly { subject: Subject; reason: string }[]
  /** The screen that mends what is missing. */
  leadsTo?: string
}

/** What a command reads for its review; `signal` ends it when the answers change. */
interface ForeseeContext<A> {
  api: Api
  subjects: readonly Subject[]
  answers: A
  signal: AbortSignal
}

/** What a review says. */
export interface Confirmation {
  title: string
  body: string
  /** The body is a warning, in red. */
  bad?: boolean
  /** A line for each record: "“Acme Tracker”", "$1,250, margin $438 (35 %)". */
  lines?: readonly { label: string; value: string; bad?: boolean }[]
  /** The button's label. */
  action?: string
}

interface Row<Asks extends Record<string, Ask>> {
  title: string
  /** Overrides the title with the current effect: "Undo: Reject 3 rewards". */
  titleNow?: (workspace: WorkspaceApi, subjects: readonly Subject[]) => string | null
  /** The name undo shows, when it isn't title plus records: "Pay 18 rewards". */
  undoName?: (subjects: readonly Subject[]) => string
  /** A few words beside the title in the palette. */
  detail?: string
  /** The screen to open, when that is all the command does; it can then open beside or pinned. */
  opens?: (subjects: readonly Subject[]) => string | null
  /** The kinds it acts on, or 'nothing'. With `many`, it acts on all selected rows. */
  on: SubjectKind | readonly SubjectKind[] | 'nothing'
  many?: true
  /** Its rule in the subject's allowed_actions, or one for each kind; its own id by default. null: always allowed. */
  rule?: string | null | readonly string[]
  /** Its action in the access table; its own id by default. */
  access?: ActionId
  /** For a command generated from a route: who may open the screen. */
  screen?: Access
  /** Why it can't run now, beyond the subject's rule, or null. */
  disabledReason?: (workspace: WorkspaceApi, subjects: readonly Subject[]) => string | null
  /** Reads what its questions and its review need before they are asked; it may put other subjects in place. */
  prepare?: (api: Api, subjects: readonly Subject[], signal?: AbortSignal) => Promise<Prepared>
  group?: 'subject' | 'screens' | 'workspace' | 'navigation' | 'list' | 'appearance' | 'help' | 'add'
  asks?: Asks
  /** Why the answers exclude a subject, "it is paused already", or null; the dry run has no answers to check. */
  excludes?: (subject: Subject, answers: Answers<Asks>) => string | null
  /** States the effect in the review; a command that has this always asks for confirmation. */
  confirm?: (subjects: readonly Subject[], answers: Answers<Asks>) => Confirmation
  /** Whether it asks for confirmation at all, where some records or answers need none; without it, always. */
  confirmIf?: (subjects: readonly Subject[], answers: Partial<Answers<Asks>>) => boolean
  /**
   * Asks the server what the answers would come to (`api.dryRun`), for the review of a command with `confirm`.
   * What it returns replaces the same parts of `confirm`; a refusal shows as the review's warning.
   */
  foresees?: (context: ForeseeContext<Answers<Asks>>) => Promise<Partial<Confirmation> | null>
  /** The same, for a command that asks only for several records or because it can't be undone. */
  review?: (subjects: readonly Subject[], answers: Answers<Asks>) => Confirmation
  /** Can't be undone; the review says so. */
  irreversible?: true
  /**
   * 'restores': its calls are `undo: true` in the calls table, so the server restores every row.
   * 'needless': there is nothing to restore. Every write has this, a `delay` or `irreversible`; a test checks it.
   */
  undo?: 'restores' | 'needless'
  /** Shows a failure with the server's message in a dialog. */
  failure?: 'dialog'
  /** Reaches people outside: runs after a countdown with undo. */
  delay?: typeof OUTSIDE_SECONDS
  danger?: true
  keywords?: string
  icon?: string
  /** Repeats while its key is held: cursor moves. */
  repeats?: true
  /** Does it as often as the number typed before its keys; without this it takes none. */
  times?: (workspace: WorkspaceApi, count: number) => void
  /** Acts on the row under a list's cursor. */
  onRow?: true
  /** Hidden in the palette: mechanics such as moving the cursor. */
  hidden?: true
}

interface Runs<A> {
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return what the workspace returns, which is nothing
  run(context: RunContext<A>): Promise<Result | undefined | void> | Result | undefined | void
  each?: never
}

/** A row of the commands table: runs once for all subjects, or once for each. */
export type Command<Asks extends Record<string, Ask> = Record<string, Ask>> = Row<Asks> &
  (Runs<Answers<Asks>> | { each: Each<Answers<Asks>>; run?: never })

/** Defines a row of the commands table with the exact types of its questions. */
export const command = <const Asks extends Record<string, Ask> = Record<never, never>>(row: Command<Asks>): Command<Asks> => row

/** The commands of all areas by id, with their types; each file of an area adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the areas fill it
export interface AreaCommands {}
