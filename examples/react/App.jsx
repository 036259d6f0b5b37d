import { useState } from 'react';
import { changeOrder, languages, themes } from '../shop.js';
import { Checkout } from './Checkout.jsx';

const look = { '--turnpike-radius': '10px' };

export function App({ order }) {
  const [locale, setLocale] = useState('en');
  const [theme, setTheme] = useState('light');
  const [tins, setTins] = useState(1);
  const [text, setText] = useState('');

  const addTin = async () => {
    await changeOrder(order, tins + 1);
    setTins(tins + 1);
  };

  return (
    <>
      <form className="options">
        <Choice label="Language" value={locale} onChange={setLocale} among={languages} />
        <Choice label="Theme" value={theme} onChange={setTheme} among={themes} />
        <button type="button" onClick={addTin}>
          One more tin
        </button>
      </form>
      <Checkout
        session={order.client_secret}
        locale={locale}
        theme={theme}
        variables={look}
        revision={tins}
        onResult={({ status, order_no }) => setText(`${order_no}: ${status}`)}
        onError={({ message }) => setText(message)}
      >
        <a href={order.checkout_url}>Pay here</a>
      </Checkout>
      <output>{text}</output>
    </>
  );
}

function Choice({ label, value, onChange, among }) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {among.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  );
}
