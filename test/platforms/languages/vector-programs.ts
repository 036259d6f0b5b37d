/**
 * For each language of docs/other-languages.md: a program that verifies each case of cases.json and prints the result. With a relay it
 * then prints how the relay refuses a session without a body.
 */
export const vectorPrograms = {
  python: {
    file: 'vectors.py',
    code: `import json
import os

from turnpike import Refused, send, verify

for case in json.load(open("cases.json")):
    try:
        verify(case["body"].encode(), case["headers"], case["secrets"], case["now"])
        print("valid")
    except ValueError as error:
        print(error)
try:
    if "TURNPIKE_URL" in os.environ:
        send("POST", "/v1/sessions")
except Refused as error:
    print(error)
`,
  },
  php: {
    file: 'vectors.php',
    code: `<?php
require 'turnpike.php';

foreach (json_decode(file_get_contents('cases.json'), true) as ['body' => $body, 'headers' => $given, 'secrets' => $secrets, 'now' => $now]) {
    foreach (['id', 'timestamp', 'signature'] as $name) $headers[$name] = $given["webhook-$name"] ?? '';
    try {
        verify($body, $headers, $secrets, $now);
        echo "valid\\n";
    } catch (UnexpectedValueException $error) {
        echo $error->getMessage(), "\\n";
    }
}
try {
    if (getenv('TURNPIKE_URL')) send('POST', '/v1/sessions');
} catch (Refused $error) {
    echo $error->getMessage(), "\\n";
}
`,
  },
  go: {
    file: 'vectors/main.go',
    code: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"shop/turnpike"
)

func main() {
	var cases []struct {
		Body    string
		Headers map[string]string
		Secrets []string
		Now     int64
	}
	text, err := os.ReadFile("cases.json")
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		if _, err := turnpike.Verify([]byte(one.Body), headers, one.Secrets, time.Unix(one.Now, 0)); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("valid")
		}
	}
	if os.Getenv("TURNPIKE_URL") != "" {
		fmt.Println(turnpike.Send("POST", "/v1/sessions", nil, "", nil))
	}
}
`,
  },
  java: {
    file: 'Vectors.java',
    code: `import java.io.File;
import java.security.SignatureException;
import java.time.Instant;
import java.util.ArrayList;

final class Vectors {
    public static void main(String[] args) throws Exception {
        for (var one : Turnpike.JSON.readTree(new File("cases.json"))) {
            var secrets = new ArrayList<String>();
            one.get("secrets").forEach(secret -> secrets.add(secret.asText()));
            try {
                Turnpike.verify(one.get("body").asText().getBytes("UTF-8"), name -> one.get("headers").path(name).asText(null),
                    secrets, Instant.ofEpochSecond(one.get("now").asLong()));
                System.out.println("valid");
            } catch (SignatureException error) {
                System.out.println(error.getMessage());
            }
        }
        try {
            if (System.getenv("TURNPIKE_URL") != null) Turnpike.send("POST", "/v1/sessions", null, null);
        } catch (Turnpike.Refused error) {
            System.out.println(error.getMessage());
        }
    }
}
`,
  },
} as const;
