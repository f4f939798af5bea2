import type { NoticeKind } from '../notices/concerned';

const happened: Readonly<Record<NoticeKind, (by: string) => string>> = {
  mentioned: (by) => `${by} named you in a note.`,
  assigned: (by) => `${by} assigned it to you.`,
  created: (by) => `${by} asked for it for you.`,
  ended: (by) => `${by} completed it.`,
  reopened: (by) => `${by} opened it again.`,
  free: (by) => `${by} gave it to a team that you watch; nobody has taken it over.`,
  answered: (by) => `${by} wrote a note.`,
  changed: (by) => `${by} changed it.`,
};

export const en = {
  happened,
  somebody: 'Somebody',
  times: (count: number) => `${count} times, the last:`,
  cut: 'The rest is in the record.',
  open: 'Open it:',
  choose: 'You get this mail because it concerns you. Choose which mails you get:',
  last: 'There are no more mails about it today.',
  moreSubject: (count: number) => `${count} more notices`,
  more: (count: number) => `${count} more notices wait for you. So many mails would be too many.`,
};

/** What mails about notices say. */
export type Texts = typeof en;

export const nl: Texts = {
  happened: {
    mentioned: (by) => `${by} heeft u in een notitie genoemd.`,
    assigned: (by) => `${by} heeft het aan u toegewezen.`,
    created: (by) => `${by} heeft het voor u aangevraagd.`,
    ended: (by) => `${by} heeft het afgerond.`,
    reopened: (by) => `${by} heeft het heropend.`,
    free: (by) => `${by} heeft het gegeven aan een team dat u volgt; niemand heeft het overgenomen.`,
    answered: (by) => `${by} heeft een notitie geschreven.`,
    changed: (by) => `${by} heeft het gewijzigd.`,
  },
  somebody: 'Iemand',
  times: (count) => `${count} keer, de laatste keer:`,
  cut: 'De rest staat in het record.',
  open: 'Openen:',
  choose: 'U krijgt deze e-mail omdat dit u betreft. Kies welke e-mails u krijgt:',
  last: 'Vandaag krijgt u hierover geen e-mails meer.',
  moreSubject: (count) => `Nog ${count} meldingen`,
  more: (count) => `Er staan nog ${count} meldingen voor u klaar. Zoveel e-mails zouden te veel zijn.`,
};

export const de: Texts = {
  happened: {
    mentioned: (by) => `${by} hat Sie in einer Notiz genannt.`,
    assigned: (by) => `${by} hat es Ihnen zugewiesen.`,
    created: (by) => `${by} hat es für Sie angefragt.`,
    ended: (by) => `${by} hat es abgeschlossen.`,
    reopened: (by) => `${by} hat es wieder geöffnet.`,
    free: (by) => `${by} hat es einem Team gegeben, das Sie beobachten; niemand hat es übernommen.`,
    answered: (by) => `${by} hat eine Notiz geschrieben.`,
    changed: (by) => `${by} hat es geändert.`,
  },
  somebody: 'Jemand',
  times: (count) => `${count}-mal, zuletzt:`,
  cut: 'Der Rest steht im Datensatz.',
  open: 'Öffnen:',
  choose: 'Sie erhalten diese E-Mail, weil dies Sie betrifft. Wählen Sie, welche E-Mails Sie erhalten:',
  last: 'Heute erhalten Sie dazu keine weiteren E-Mails.',
  moreSubject: (count) => `${count} weitere Mitteilungen`,
  more: (count) => `${count} weitere Mitteilungen warten auf Sie. So viele E-Mails wären zu viele.`,
};
