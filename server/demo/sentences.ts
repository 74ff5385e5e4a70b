import type { Random } from './random.ts'

const BEGINS = [
  'I liked it',
  'It was fine',
  'Too expensive for me',
  'My kids love it',
  'I could not find it at first',
  'The package is hard to open',
  'Better than the one I usually buy',
  'Tastes like it did years ago',
  'A friend told me about it',
  'It was on sale',
  'The store was out of my size',
  'I bought it out of habit',
  'Nothing special',
  'Honestly, it surprised me',
  'The smell put me off',
  'I would like more kinds',
  'It lasts longer than others',
  'The color caught my eye',
  'Me gustó mucho',
  'Muy caro para lo que es',
]
const MIDDLES = [
  '',
  ', and I will buy it again',
  ', but the price went up',
  ', though the line was long',
  ' and the staff helped me',
  ', which is rare these days',
  ' because of the new package',
  ', so I took two',
  ' – no complaints',
  ', para toda la familia',
  ', but I would not recommend it to everybody',
  ', mostly on weekends',
  ' when I am in a hurry',
  ', as always',
  ' 👍',
]
const ENDS = ['', '.', '!']
/** TABLE  texts that no pattern yields: very short, right to left, with contact data, and 400 characters long. */
const OWN = [
  'k',
  'No',
  '❤️❤️❤️',
  'طعمه لذيذ والسعر مناسب',
  '¿Por qué ya no lo venden en mi tienda?',
  'Please write to me at pat.doe@mail.example about the coupon',
  'Call me: (555) 010-0147, evenings only',
  `${'I have bought it every week for years, and it was always the same, until the package changed. '.repeat(4)}Please bring it back!`.slice(
    0,
    400,
  ),
]
/** How many sentences there are. */
const SENTENCES = BEGINS.length * MIDDLES.length * ENDS.length

/** A participant's answer; some sentences are far more frequent than others. */
export function sentence(random: Random): string {
  const nth = Math.floor(SENTENCES * random.next() ** 2)
  if (nth % 113 < 1) return OWN[Math.floor(nth / 113) % OWN.length]!
  const begin = BEGINS[nth % BEGINS.length]!
  const middle = MIDDLES[Math.floor(nth / BEGINS.length) % MIDDLES.length]!
  return `${begin}${middle}${ENDS[Math.floor(nth / BEGINS.length / MIDDLES.length)]!}`
}
