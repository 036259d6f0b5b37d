import { amountPictures } from './states/amounts.ts';
import { brandPictures, fillingPictures, wrongPictures } from './states/filling.ts';
import { hostedPictures } from './states/hosted.ts';
import { lookPictures } from './states/looks.ts';
import { messagePictures } from './states/messages.ts';
import { methodPictures } from './states/methods.ts';
import { noticePictures, outcomePictures } from './states/outcomes.ts';
import type { Picture } from './states/picture.ts';

export type { FormPicture, Picture } from './states/picture.ts';

type Section = { title: string; pictures: readonly Picture[] };

/** Every state of the form and of its pages. A test checks that every text of the form appears. */
export const sections: readonly Section[] = [
  { title: 'Filling in', pictures: fillingPictures },
  { title: 'Wrong fields', pictures: wrongPictures },
  { title: 'Brands', pictures: brandPictures },
  { title: 'Message in the form', pictures: messagePictures },
  { title: 'In the form’s place', pictures: outcomePictures },
  { title: 'A page of its own', pictures: hostedPictures },
  { title: 'Ways to pay', pictures: methodPictures },
  { title: 'Amounts', pictures: amountPictures },
  { title: 'Pages with one message', pictures: noticePictures },
  { title: 'Looks, languages and sizes', pictures: lookPictures },
];

export const pictures: readonly Picture[] = sections.flatMap((section) => section.pictures);

/** The picture with this name. Throws if there is none. */
export function pictureOf(name: string): Picture {
  const found = pictures.find((picture) => picture.name === name);
  if (!found) throw new Error(`The gallery has no picture called ${name}`);
  return found;
}
