import { MESSAGES } from '../../contract/messages.ts'
import { UPLOAD_TYPES, type UploadType } from '../../contract/vocabulary.ts'
import { encodingOf } from '../core/textLines.ts'

interface Kind {
  mime: string
  /** True if a file starts like one of its kind. */
  begins(head: Buffer): boolean
}

const hex =
  (...signatures: string[]) =>
  (head: Buffer) =>
    signatures.some((signature) => head.subarray(0, signature.length / 2).toString('hex') === signature)
const at =
  (from: number, ...words: string[]) =>
  (head: Buffer) =>
    words.includes(head.subarray(from, from + words[0]!.length).toString('latin1'))
const within = (head: Buffer, ...words: string[]) => words.some((word) => head.includes(word))

/** Office documents since 2007 are archives of parts with these names. */
const office = (folder: string) => (head: Buffer) =>
  hex('504b0304')(head) && within(head, '[Content_Types].xml', '_rels/', 'docProps/', folder)
const oldOffice = hex('d0cf11e0a1b11ae1')
const quicktime = at(4, 'ftyp', 'moov', 'mdat', 'wide', 'free', 'skip')
const mpeg = hex('000001ba', '000001b3')
const windowsMedia = hex('3026b2758e66cf11')
const jpeg: Kind = { mime: 'image/jpeg', begins: hex('ffd8ff') }

/** UTF-8 or older eight-bit text: anything without control bytes that text doesn't use. */
const text = (head: Buffer) =>
  hex('fffe', 'feff')(head) || !head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))

/** Control bytes that a CSV may have: an end sign of DOS, and bad cells, which are errors of their lines. */
const FEW = 8
/** A CSV: text in any encoding, with or without a mark, that doesn't begin like another kind. */
const csv = (head: Buffer) => {
  if (text(head)) return true
  if (Object.entries(KINDS).some(([name, { begins }]) => name !== 'csv' && name !== 'mp3' && begins(head))) return false
  const encoding = encodingOf(head)
  const controls = head.filter((byte, at) => {
    if (encoding === 'utf-16le' || encoding === 'utf-16be')
      return (at + (encoding === 'utf-16be' ? 1 : 0)) % 2 === 0 && byte === 0
    return byte < 9 || (byte > 13 && byte < 32 && byte !== 27)
  })
  return controls.length <= FEW
}

/** Every accepted extension (decisions.md 9: all of the specification's lists), and how its content starts. */
const KINDS: Record<UploadType, Kind> = {
  jpg: jpeg,
  jpeg,
  png: { mime: 'image/png', begins: hex('89504e470d0a1a0a') },
  gif: { mime: 'image/gif', begins: at(0, 'GIF87a', 'GIF89a') },
  mp3: { mime: 'audio/mpeg', begins: (head) => at(0, 'ID3')(head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0) },
  mp4: { mime: 'video/mp4', begins: at(4, 'ftyp') },
  mov: { mime: 'video/quicktime', begins: quicktime },
  wma: { mime: 'audio/x-ms-wma', begins: windowsMedia },
  wmv: { mime: 'video/x-ms-wmv', begins: windowsMedia },
  mpg: { mime: 'video/mpeg', begins: mpeg },
  mpeg: { mime: 'video/mpeg', begins: mpeg },
  mpv: { mime: 'video/mpeg', begins: mpeg },
  flv: { mime: 'video/x-flv', begins: at(0, 'FLV') },
  avi: { mime: 'video/x-msvideo', begins: (head) => at(0, 'RIFF')(head) && at(8, 'AVI ')(head) },
  pdf: { mime: 'application/pdf', begins: (head) => within(head.subarray(0, 1024), '%PDF-') },
  doc: { mime: 'application/msword', begins: oldOffice },
  docx: { mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', begins: office('word/') },
  xls: { mime: 'application/vnd.ms-excel', begins: oldOffice },
  xlsx: { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', begins: office('xl/') },
  csv: { mime: 'text/csv; charset=utf-8', begins: csv },
  txt: { mime: 'text/plain; charset=utf-8', begins: text },
}

export const JSON_MIME = 'application/json; charset=utf-8'
/** Accepted where a form says so: a survey's data map. */
const JSON_MAP: Kind = {
  mime: JSON_MIME,
  begins: (head) => text(head) && /^\uFEFF?\s*[[{]/.test(head.toString('utf8')),
}

/** Bytes of a file's start that the check needs. */
export const HEAD_BYTES = 4100

/** A file name's extension in lower case; empty without one. */
export const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Checks a file's name and start, JSON only if allowed; returns its media type, or an error as a sentence. */
export function checkContent(name: string, head: Buffer, { json = false } = {}): { mime: string } | { fault: string } {
  const extension = extensionOf(name)
  const kind = json && extension === 'json' ? JSON_MAP : (KINDS as Partial<Record<string, Kind>>)[extension]
  if (!kind) return { fault: MESSAGES.fileType(UPLOAD_TYPES.join(', ')) }
  if (!head.length) return { fault: `${name} is empty` }
  return kind.begins(head) ? { mime: kind.mime } : { fault: `${name} is not a ${extension} file by its content` }
}
