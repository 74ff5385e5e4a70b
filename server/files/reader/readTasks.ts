import type { ReadTask, ReadTasks } from '../../core/readers.ts'

/** Lines and characters of one piece, so that nobody waits for a piece to arrive. */
const LINES = 400
const CHARACTERS = 500_000

async function* table(bytes: Buffer, options: ReadTasks['table']['options']): AsyncGenerator<ReadTasks['table']['piece']> {
  const { openTable } = await import('../../core/tableFile.ts')
  const { rows, ...head } = await openTable(bytes, options)
  yield { ...head, lines: [] }
  let lines = []
  let characters = 0
  for await (const line of rows()) {
    lines.push(line)
    for (const cell of line.cells) characters += cell.length
    if (lines.length < LINES && characters < CHARACTERS) continue
    yield { ...head, lines }
    lines = []
    characters = 0
  }
  yield { ...head, lines }
}

/** TABLE  what a reader does with a content, by task; it loads what the task needs, so that it starts quickly. */
export const TASKS: {
  [T in ReadTask]: (bytes: Buffer, options: ReadTasks[T]['options']) => AsyncIterable<ReadTasks[T]['piece']>
} = {
  async *picture(bytes) {
    const { TooLarge, thumbnailOf } = await import('../thumbnail.ts')
    yield await thumbnailOf(bytes).catch((error: unknown) => {
      // The library's own words help nobody.
      throw error instanceof TooLarge ? error : new Error('it isn’t a picture that can be read', { cause: error })
    })
  },
  async *film(bytes) {
    yield (await import('../plainFilm.ts')).filmFacts(bytes)
  },
  async *plain(bytes, { mime }) {
    yield (await import('../metadata.ts')).withoutMetadata(bytes, mime)
  },
  table,
  async *questions(bytes, { name }) {
    yield await (await import('../../domain/survey/dataMapRows.ts')).dataMapQuestions(bytes, name)
  },
  async *comments(bytes) {
    yield* (await import('../../domain/content/readAct.ts')).commentRows(bytes)
  },
}
