import type { Command, Prepared } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'

/** Reads what a command needs of its subjects before its first question; throws ApiError. */
export const prepared = async (command: Command, subjects: readonly Subject[], signal?: AbortSignal): Promise<Prepared> =>
  command.prepare && subjects.length ? await command.prepare(api, subjects, signal) : { able: subjects, left: [] }
