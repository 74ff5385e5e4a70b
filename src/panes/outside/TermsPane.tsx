import { useAtomValue } from 'jotai'
import { configAtom } from '../../data/session.ts'
import { OutsidePage } from './OutsidePage.tsx'

/** The terms of use. */
export default function TermsPane() {
  const { name, product, support_mail } = useAtomValue(configAtom)
  return (
    <OutsidePage
      wide
      title="Terms and conditions"
      lead={`What you and ${name} can expect of each other when you use ${product}.`}
      links={[{ to: 'login', title: 'Go to sign in' }]}
    >
      <div className="flex flex-col gap-5">
        {termsOf(name, product, support_mail).map(([title, text], at) => (
          <section key={title}>
            <h2 className="text-title">
              {at + 1}. {title}
            </h2>
            <p className="mt-1 text-muted">{text}</p>
          </section>
        ))}
      </div>
    </OutsidePage>
  )
}

const termsOf = (name: string, product: string, mail: string): readonly [title: string, text: string][] => [
  [
    'Your account',
    'Each account is for one person. Keep your password secret, don’t reuse it elsewhere, and tell us at once if someone else may know it. Your account settings show where you’re signed in, and let you end any session.',
  ],
  [
    'What you may do',
    `You may use ${product} to request, follow and report survey and content projects of the clients you work for. You may not try to see what your role doesn’t show you, overload the service, or resell it.`,
  ],
  [
    'Your content',
    'Questions, files, audiences and notes you add remain yours or your client’s. You confirm that you may use them, and allow us to store and show them as far as the service requires. We check the type and size of files.',
  ],
  [
    'Respondents',
    'Respondents have a right to privacy. Results are shown as figures; only those who pay rewards see participants’ email addresses, exact locations and IP addresses. You will not try to identify a respondent.',
  ],
  [
    'Quotes and costs',
    'A request is not an order. You receive a quote, and nothing goes into field before you approve it. An approved quote binds both sides for its dates and quantities.',
  ],
  ['Rewards', 'Rewards are paid to participants through the project’s provider. A sent reward can’t be recalled.'],
  [
    'What we record',
    `${product} records who changed what and when, so that everyone who works on a project can read its history. It sets one cookie, which keeps you signed in.`,
  ],
  [
    'Our responsibilities',
    `${name} runs ${product} with care and announces planned maintenance in advance. It can’t promise uninterrupted service, and isn’t liable for what it could not foresee.`,
  ],
  [
    'Ending the agreement',
    'You can stop at any time. We can end the agreement with a month’s notice, or at once if these terms are broken. You can export your content before that.',
  ],
  [
    'Questions',
    mail ? `Write to ${mail}. A person answers.` : 'Write to the people who gave you your account. A person answers.',
  ],
]
