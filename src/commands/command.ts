import type { ActionId } from '../../contract/access.ts'
import type { CallId, Output } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Access } from '../../contract/who.ts'
import type { Api } from '../data/api.ts'
import type { Option, Subject } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** Seconds that whatever reaches people outside waits, in which it can be undone. */
export const OUTSIDE_SECONDS = 8

interface AskBase {
  label: string
  /** Asked plainly when it gives null or undefined; a value that is prefilled is shown as a pill and can be edited. */
  prefill?: (subjects: readonly Subject[], workspace?: WorkspaceApi) => unknown
  /** May be left empty. */
  optional?: true
  /** Asked only while this holds of the earlier answers. */
  when?: (answers: Readonly<Record<string, unknown>>, subjects: readonly Subject[]) => boolean
  /** A sentence that says what is wrong with an answer, or null. */
  check?: (value: string, answers: Readonly<Record<string, unknown>>, subjects: readonly Subject[]) => string | null
}
/** These subjects, or the current ones; `workspace` is left out where no workspace is open. */
type Options = readonly Option[] | ((subjects: readonly Subject[], workspace?: WorkspaceApi) => readonly Option[])
interface Kinds {
  entity: AskBase & {
    kind: SubjectKind
    among?: (api: Api, subjects: readonly Subject[], workspace: WorkspaceApi) => Promise<Option[]>
  }
  /** Several records, `min` to `max` of them; those that the command acts on are not among the choices. */
  entities: AskBase & {
    kind: SubjectKind | readonly SubjectKind[]
    min?: number
    max?: number
    among?: (api: Api, subjects: readonly Subject[], workspace: WorkspaceApi) => Promise<Option[]>
  }
  option: AskBase & { options: Options }
  several: AskBase & { options: Options }
  text: AskBase & {
    lines?: number
    placeholder?: string
    kind?: 'text' | 'email' | 'url'
    /** Filters the typed text: a phone keeps its digits. */
    keeps?: (text: string) => string
  }
  number: AskBase & { min?: number; max?: number; unit?: string; money?: true }
  date: AskBase
  file: AskBase & { types: readonly string[]; many?: true }
}
/** One question of a command: a step of the palette, a field of its dialog. */
export type Ask = { [K in keyof Kinds]: Kinds[K] & { type: K } }[keyof Kinds]

/** A mapped type, so that the compiler infers the question from its definition and not from its position. */
type Typed<K, More> = { [P in keyof More | 'type']: P extends 'type' ? K : P extends keyof More ? More[P] : never }

const asking =
  <K extends keyof Kinds>(type: K) =>
  <const More extends Kinds[K]>(more: More) =>
    ({ ...more, type }) as Typed<K, More>
/** Questions, by what answers them; each keeps whether it may stay empty. */
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

/** What an ask's answer is: an id of an entity, ids of several, an option's value, a text, a number (money in cents), a civil date, files. */
export type AnswerOf<A extends Ask> = A extends { type: 'entity' }
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
export type Answers<Asks extends Record<string, Ask>> = {
  [K in keyof Asks]: Asks[K] extends { optional: true } | { when: unknown } ? AnswerOf<Asks[K]> | undefined : AnswerOf<Asks[K]>
}

export interface RunContext<A> {
  api: Api
  subjects: readonly Subject[]
  /** The only or first one; commands `on: 'nothing'` have none. */
  subject: Subject
  answers: A
  /** Opens panes, closes them, copies links: the workspace itself. */
  workspace: WorkspaceApi
  /** Long work says how far it is; the status line shows it with a cancel. */
  progress(done: number, total: number, note?: string): void
  signal: AbortSignal
}

/** What doing a command to one record of several is given. */
export interface OneContext<A> {
  api: Api
  subject: Subject
  answers: A
  signal: AbortSignal
}

export type DoneWords = readonly [one: string, many: string]

/**
 * Done record by record: the runner does several at a time, shows how far it is, stops between two when it is cancelled, tells by name what was
 * refused.
 */
export interface Each<A> {
  /** "is paused", "are paused": what is said of one, and of several, that it was done to. */
  done: DoneWords | ((answers: A) => DoneWords)
  one(context: OneContext<A>): Promise<unknown>
  /** Of one record alone the server's own sentence is said, as the specification words it. */
  answers?: true
  /** A success dialog with the specification's words, when it was one record alone. */
  dialog?: Result['dialog']
  /** When all is done: where it shows. */
  ends?(workspace: WorkspaceApi): void
}

/** What a command leaves behind: a sentence for the toast, where to go, until when it can be undone, what failed of many. */
export interface Result {
  message?: string
  /** A success dialog with the specification's words: title and body; `copy` is shown below them with a Copy button. */
  dialog?: { title: string; body: string; copy?: string; onOk?: () => void }
  /** It can be undone until then (epoch ms): what it began reaches people outside from then on. */
  undoUntil?: number | undefined
  /** Row by row, when some of many failed: listed with retry. */
  refused?: readonly { id: number; name: string; reason: string }[]
  /** Of many, those that it never came to, as somebody cancelled: offered to be gone on with. */
  rest?: readonly Subject[]
}

interface Said {
  title: string
  body: string
  /** The word on the button. */
  action?: string
}

interface Row<Asks extends Record<string, Ask>> {
  title: string
  /** Replaces the title with what it would do now: "Undo: Reject 3 rewards". */
  titleNow?: (workspace: WorkspaceApi) => string | null
  /** What undo calls it, where that is not its title with its records: "Pay 18 rewards". */
  undoName?: (subjects: readonly Subject[]) => string
  /** A few words beside the title in the palette. */
  detail?: string
  /** The screen that it opens, where that is all it does: it can then open beside, or in a tab that stays. */
  opens?: (subjects: readonly Subject[]) => string | null
  /** What it acts on; 'nothing' for the workspace's own. A list acts on one or on selected rows when `many`. */
  on: SubjectKind | readonly SubjectKind[] | 'nothing'
  many?: true
  /** Which rule of the subject's allowed_actions it is; its own id by default. null: always allowed. */
  rule?: string | null
  /** The action of the access table that says who sees it at all; its own id by default. */
  access?: ActionId
  /** Of a command that a route makes: who may open the screen. */
  screen?: Access
  /** Why it can't run now, beyond the subject's rule; null when it can. */
  disabledReason?: (workspace: WorkspaceApi, subjects: readonly Subject[]) => string | null
  group?: 'subject' | 'screens' | 'workspace' | 'navigation' | 'list' | 'appearance' | 'help' | 'add'
  asks?: Asks
  /** Why the answers rule one of the subjects out, "it is paused already", or null: its part in the dry run, which the server has no answers for. */
  excludes?: (subject: Subject, answers: Answers<Asks>) => string | null
  /** The effect in a sentence, shown in the review; a command with it is confirmed before it runs. */
  confirm?: (subjects: readonly Subject[], answers: Answers<Asks>) => Said
  /** The same, for one that is confirmed only of several records, or because nothing takes it back. */
  review?: (subjects: readonly Subject[], answers: Answers<Asks>) => Said
  /** Nothing takes it back: its review says so. */
  irreversible?: true
  /**
   * Whether it can be undone: 'restores' where its calls are `undo: true` in the calls table, so that the server puts every row back as it was;
   * 'needless' as it changes nothing that would have to be. What writes has this, or a `delay`, or is `irreversible`; tests hold every command to it.
   */
  undo?: 'restores' | 'needless'
  /** Reaches people outside: waits, with a countdown and undo, before it runs. */
  delay?: typeof OUTSIDE_SECONDS
  danger?: true
  keywords?: string
  icon?: string
  /** Runs again while its key is held: cursor moves. */
  repeats?: true
  /** Acts on the row under a list's cursor. */
  onRow?: true
  /** Not in the palette: mechanics such as moving the cursor. */
  hidden?: true
}

interface Runs<A> {
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return what the workspace returns, which is nothing
  run(context: RunContext<A>): Promise<Result | undefined | void> | Result | undefined | void
  each?: never
}

/** A row of the commands table: it runs once with all its subjects, or is done to each of them. */
export type Command<Asks extends Record<string, Ask> = Record<string, Ask>> = Row<Asks> &
  (Runs<Answers<Asks>> | { each: Each<Answers<Asks>>; run?: never })

/** One row of the commands table, precise in its questions. */
export const command = <const Asks extends Record<string, Ask> = Record<never, never>>(row: Command<Asks>): Command<Asks> => row

export type { CallId, Output }
