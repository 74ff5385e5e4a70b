import { readFileSync } from 'node:fs'
import type { Content } from './noun.ts'

/** The bytes of a file in `fixtures/`. */
const fixture = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}`, import.meta.url))

const [WIDTH, HEIGHT] = [480, 360]
/** Photos taken with the camera on its side: the rotation in their EXIF data. */
const ON_ITS_SIDE: ReadonlySet<number> = new Set([7, 10])

/** A photo, with its size in pixels as displayed. */
export interface Photo {
  key: string
  content: Buffer
  width: number
  height: number
}
/** Photos of shelves, which all activities share; each is its own thumbnail. */
export const PHOTOS: readonly Photo[] = Array.from({ length: 12 }, (_, nth) => ({
  key: `demo/photos/${nth}.jpg`,
  content: fixture(`photo-${nth}.jpg`),
  ...(ON_ITS_SIDE.has(nth) ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT }),
}))

/** A clip of H.264, recorded by Chromium from a canvas. */
export const FILM = { key: 'demo/films/0.mp4', content: fixture('film.mp4'), width: 320, height: 240, seconds: 6 } as const

/** A project's questionnaire and its signed approval. */
export const QUESTIONNAIRE: Buffer = fixture('questionnaire.pdf')
export const APPROVAL: Buffer = fixture('approval.pdf')

/** The contents that all photos and videos of the demo share. */
export const SHARED_CONTENTS: readonly Content[] = [
  ...PHOTOS.map(({ key, content }) => ({ key, content, mime: 'image/jpeg' })),
  { key: FILM.key, content: FILM.content, mime: 'video/mp4' },
]
