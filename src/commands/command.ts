import type { ActionId } from '../../contract/access.ts'
import type { Access } from '../../contract/actor.ts'
import type { Sentence } from '../../contract/effectText.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Effect, EffectId } from '../../contract/writeEffects.ts'
import type { Api } from '../data/api.ts'
import type { Option, Subject, SubjectOf } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** What was answered to questions so far, unchecked: texts, numbers, ids, and lists of them. */
export type RawAnswers = Readonly<Record<string, unknown>>

interface AskBase {
  label: string
  /** The initial answer; null or undefined means none. It shows as an editable pill. */
  prefill?: (subjects: readonly Subject[], workspace?: WorkspaceApi, answers?: RawAnswers) => unknown
  /** An earlier question whose answer changes the prefill. */
  follows?: string
  /** Isn't asked in turn: its prefill (or nothing) is used unless the user goes back to it. Dialogs show it. */
  usual?: true
  /** Its name in links that were shared before. */
  was?: string
  /** The answer may be empty. */
  optional?: true
  /** Asks only if this returns true for the earlier answers. */
  when?: (answers: RawAnswers, subjects: readonly Subject[]) => boolean
  /** Returns an answer's error message, or null. */
  check?: (value: string, answers: RawAnswers, subjects: readonly Subject[]) => string | null
}
/** Options for these subjects, or fixed ones; `workspace` is undefined outside the workspace. */
type Options = readonly Option[] | ((subjects: readonly Subject[], workspace?: WorkspaceApi) => readonly Option[])
/** Reads the choices; `earlier` is the answer to the question named by `amongOf`. */
type Among = (api: Api, subjects: readonly Subject[], workspace: WorkspaceApi, earlier?: unknown) => Promise<Option[]>
interface Kinds {
  entity: AskBase & {
    kind: SubjectKind
    among?: Among
    amongOf?: string
  }
  /** Asks for several records, `min` to `max`; the command's own subjects aren't offered. */
  entities: AskBase & {
    kind: SubjectKind | readonly SubjectKind[]
    min?: number
    max?: number
    /** The best choices come first: Space selects one and moves on, Enter continues with those selected. */
    bestFirst?: true
    among?: Among
    /** An earlier question that decides the choices, such as the client whose users are offered. */
    amongOf?: string
  }
  option: AskBase & {
    options: Options
    /** Asks even if there is a single choice, because the user must see it before it runs. */
    asksForOne?: true
    /** Its options are palette rows too, labeled with this noun: "Filter: Status". Only for the first question. */
    named?: string
  }
  several: AskBase & { options: Options }
  text: AskBase & {
    lines?: number
    placeholder?: string
    kind?: 'text' | 'email' | 'url'
    /** Filters typed text: a phone number keeps only digits. */
    keeps?: (text: string) => string
    /** A reason or note: the palette offers the last ones, per command. */
    recalls?: true
    /** The last question, which shows what will happen, so that its answer runs the command without a review. */
    confirms?: true
  }
  number: AskBase & { min?: number; max?: number; unit?: string; money?: true }
  date: AskBase
  file: AskBase & { types: readonly string[]; many?: true }
}
/** A question of a command: a step in the palette, or a field in its dialog. */
export type Ask = { [K in keyof Kinds]: Kinds[K] & { type: K } }[keyof Kinds]

/** Maps over keys, so that the compiler infers a question from its definition instead of its position. */
type Typed<K, More> = { [P in keyof More | 'type']: P extends 'type' ? K : P extends keyof More ? More[P] : never }

const asking =
  <K extends keyof Kinds>(type: K) =>
  <const More extends Kinds[K]>(more: More) =>
    ({ ...more, type }) as Typed<K, More>
/** Builds questions by answer type, keeping whether they are optional. */
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

/** The type of a question's answer: id, ids, option value, text, number (money in cents), civil date or files. */
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

export interface RunContext<A, S = Subject> {
  api: Api
  subjects: readonly S[]
  /** The only or first subject; commands with `on: 'nothing'` have none. */
  subject: S
  answers: A
  /** Opens and closes panes and copies links. */
  workspace: WorkspaceApi
  /** Reports progress; the status line shows it with a Cancel button. */
  progress(done: number, total: number, note?: string): void
  signal: AbortSignal
}

/** The context of a run on one of several records. */
export interface OneContext<A, S = Subject> {
  api: Api
  subject: S
  answers: A
  signal: AbortSignal
}

/** Runs record by record: several at a time, with progress, cancellation in between, and failures by name. */
export interface Each<A, S = Subject> {
  /** Its effect on each record, which says what happened. */
  done: EffectId | ((answers: A) => EffectId | Effect)
  one(context: OneContext<A, S>): Promise<unknown>
  /** For a single record, shows the server's own message, which quotes the specification. */
  answers?: true
  /** For a single record, a success dialog that quotes the specification. */
  dialog?: Result['dialog']
  /** For a single record, a dialog that depends on what comes next, or none. Must not throw. */
  leads?(context: OneContext<A, S>): Promise<Result['dialog']>
  /** How many seconds the result can be undone, while its mails wait; undefined for no limit. */
  undoFor?(answers: A): number | undefined
  /** What to add to the result for a single record, from its response: skipped parts. */
  adds?(made: unknown): string
  /** Runs after all records to show the result; `made` has the result of `one` for each success. */
  ends?(workspace: WorkspaceApi, made: readonly unknown[]): void
}

/** A command's result: what its write did, or a note; a dialog, an undo deadline, and failures among many. */
export interface Result {
  message?: Sentence | undefined
  /** Where nothing was written: what was opened, copied or found. */
  note?: string
  /** A success dialog that quotes the specification; `copy` shows below with a Copy button, OK opens `leadsTo`. */
  dialog?:
    | {
        title: string
        body: string
        copy?: string
        onOk?: () => void
        leadsTo?: string
        /** Shown only after a click. Keyboard users go on working and get the toast. */
        clicked?: true
      }
    | undefined
  /** The time (epoch ms) until which it can be undone, before it reaches people outside. */
  undoUntil?: number | undefined
  /** Failed records of several, listed with a retry. */
  refused?: readonly { id: number; name: string; reason: string }[]
  /** Records not reached because the user canceled; the result offers to continue with them. */
  rest?: readonly Subject[]
}

/** Subjects prepared for a command, those skipped with reasons, and a screen to go to first. */
export interface Prepared {
  able: readonly Subject[]
  left: readonly { subject: Subject; reason: string }[]
  /** The screen where the user can fix what is missing. */
  leadsTo?: string
}

/** The context of a review's request; `signal` aborts it when the answers change. */
interface ForeseeContext<A, S = Subject> {
  api: Api
  subjects: readonly S[]
  answers: A
  signal: AbortSignal
}

/** The content of a review. */
export interface Confirmation {
  title: string
  body: string
  /** Shows the body as a warning, in red. */
  bad?: boolean
  /** A line for each record: "“Acme Tracker”", "$1,250, margin $438 (35 %)"; `id` where labels may repeat. */
  lines?: readonly { id?: string; label: string; value: string; bad?: boolean }[]
  /** The button's label. */
  action?: string
}

type On = SubjectKind | readonly SubjectKind[] | 'nothing'
interface Row<Asks extends Record<string, Ask>, S = Subject, O extends On = On> {
  title: string
  /** Replaces the title by the current effect: "Undo: Reject 3 rewards". */
  titleNow?: (workspace: WorkspaceApi, subjects: readonly S[]) => string | null
  /** The name in the undo list, if it isn't title plus records: "Pay 18 rewards". */
  undoName?: (subjects: readonly S[]) => string
  /** A few words next to the title in the palette. */
  detail?: string
  /** The screen to open, if that is all the command does; it can then open beside or pinned. */
  opens?: (subjects: readonly S[]) => string | null
  /** The kinds it acts on, or 'nothing'. With `many` it acts on all selected rows. */
  on: O
  many?: true
  /** Acts on a deleted record, and only on one. */
  revives?: true
  /** Its rule in the subject's allowed_actions, or one per kind; defaults to its id. null: always allowed. */
  rule?: string | null | readonly string[]
  /** Its action in the access table; defaults to its id. */
  access?: ActionId
  /** For a command generated from a route: who may open the screen. */
  screen?: Access
  /** Returns why it can't run now, besides the subject's rule, or null. */
  disabledReason?: (workspace: WorkspaceApi, subjects: readonly S[]) => string | null
  /** Reads what questions and review need before the first question; it may replace the subjects. */
  prepare?: (api: Api, subjects: readonly S[], signal?: AbortSignal) => Promise<Prepared>
  group?: 'subject' | 'screens' | 'workspace' | 'navigation' | 'list' | 'appearance' | 'help' | 'add'
  asks?: Asks
  /** Returns why the answers exclude a subject, "it is paused already", or null; without answers it isn't called. */
  excludes?: (subject: S, answers: Answers<Asks>) => string | null
  /** Describes the effect in the review; a command with `confirm` always asks for confirmation. */
  confirm?: (subjects: readonly S[], answers: Answers<Asks>) => Confirmation
  /** Whether to ask for confirmation, if some records or answers need none; by default always. */
  confirmIf?: (subjects: readonly S[], answers: Partial<Answers<Asks>>) => boolean
  /**
   * Asks the server for the effect of the answers (`api.dryRun`), for the review of a command with `confirm`.
   * What it returns replaces the same parts of `confirm`; an error shows as the review's warning.
   */
  foresees?: (context: ForeseeContext<Answers<Asks>, S>) => Promise<Partial<Confirmation> | null>
  /** Like `confirm`, for a command that asks only if there are several records or it can't be undone. */
  review?: (subjects: readonly S[], answers: Answers<Asks>) => Confirmation
  /** Can't be undone; the review says so. */
  irreversible?: true
  /**
   * 'restores': its calls are `undo: true` in the calls table, so the server restores every row.
   * 'needless': there is nothing to restore. Every write has this, a `delay` or `irreversible`; a test checks it.
   */
  undo?: 'restores' | 'needless'
  /** Shows a failure with the server's message in a dialog. */
  failure?: 'dialog'
  /** Reaches people outside, so it runs after a countdown with undo. */
  delay?: true
  danger?: true
  /** Copies a text: the clipboard is taken at its key or click. */
  copies?: true
  keywords?: string
  /** Other names that it is found by as by its title. */
  names?: readonly string[]
  icon?: string
  /** Repeats while its key is held, such as cursor moves. */
  repeats?: true
  /** Runs as often as the number typed before its keys; without this it accepts no number. */
  times?: (workspace: WorkspaceApi, count: number) => void
  /** Acts on the row under a list's cursor. */
  onRow?: true
  /** Hidden in the palette: basic moves, such as those of the cursor. */
  hidden?: true
}

interface Runs<A, S = Subject> {
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return what the workspace returns, which is nothing
  run(context: RunContext<A, S>): Promise<Result | undefined | void> | Result | undefined | void
  each?: never
}

/** A row of the commands table: runs once for all subjects, or once for each. */
export type Command<Asks extends Record<string, Ask> = Record<string, Ask>, S = Subject, O extends On = On> = Row<Asks, S, O> &
  (Runs<Answers<Asks>, S> | { each: Each<Answers<Asks>, S>; run?: never })

/** Declares a row of the commands table with the exact types of its questions. */
export const command = <const Asks extends Record<string, Ask> = Record<never, never>, const O extends On = On>(
  row: Command<Asks, SubjectOf<O extends readonly (infer K)[] ? K : O>, O>,
): Command<Asks> => row as unknown as Command<Asks>

/** The commands of all areas by id, with their types; each file of an area adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the areas fill it
export interface AreaCommands {}
